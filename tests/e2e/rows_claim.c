/*
 * Does a claim say how its composite goes in a way that exists? Databases are claims because a
 * CompositeResourceDefinition says so, buckets because --claim-resource does, and notes are none.
 */

#include "manifests.h"
#include "rows.h"

#define FIELD "spec.compositeDeletePolicy"
#define SET(word) "'compositeDeletePolicy':'" word "'"
#define BUCKET(spec) \
    OBJECT("named.example.org/v1", "Bucket", "'namespace':'@','name':'b'", ",'spec':{" spec "}")
#define NOTE(spec) \
    OBJECT("named.example.org/v1", "Note", "'namespace':'@','name':'n'", ",'spec':{" spec "}")

static const struct row rows[] = {
    ROW("every_way_to_delete_a_composite_is_accepted", SHIPPED, NAMESPACE,
            SEND("create", CLAIM("background", SET("Background"))
                                   CLAIM("foreground", SET("Foreground")) CLAIM("absent", ""))),
    ROW("a_claim_that_would_orphan_its_composite_is_told_why_not", SHIPPED | SANITIZED, NAMESPACE,
            INVALID(FIELD, "create", CLAIM("c", SET("Orphan")),
                    "'Orphan' is not supported: the composite would stay behind and go "
                    "on being reconciled without its claim",
                    "set deletionPolicy: Orphan on the composed resources")),
    ROW("an_unknown_way_to_delete_a_composite_is_refused", SHIPPED, NAMESPACE,
            INVALID(FIELD, "create", CLAIM("c", SET("foreground")),
                    "'foreground' is not supported (did you mean Foreground?). Use "
                    "Background or Foreground, or leave it out")),
    ROW("a_live_claim_may_not_become_invalid", SHIPPED, NAMESPACE,
            CREATED(CLAIM("c", SET("Background"))),
            INVALID(FIELD,
                    "patch databases.claims.example.org c --type=merge -p {'spec':{" SET(
                            "Orphan") "}}",
                    NULL, "'Orphan' is not supported"),
            DO("patch databases.claims.example.org c --type=merge -p {'spec':{" SET(
                    "Foreground") "}}")),
    ROW("a_kind_that_was_named_as_a_claim_is_one", SHIPPED, NAMESPACE,
            INVALID(FIELD, "create", BUCKET(SET("Orphan")), "'Orphan' is not supported"),
            SEND("create", BUCKET(SET("Foreground")))),
    ROW("a_kind_that_is_no_claim_may_say_what_it_likes", SHIPPED, NAMESPACE,
            SEND("create", NOTE(SET("Orphan")))),
};

const struct rows rows_claim = { rows, sizeof(rows) / sizeof(rows[0]) };
