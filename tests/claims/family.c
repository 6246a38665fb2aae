/* How does a claim with its composites and leaves come about? */

#include "family.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/json_text.h"

void family_open(struct family *family, struct stage *stage, char *why)
{
    *family = (struct family){ .stage = stage, .why = why, .claim = CLAIM, .root = ROOT };
    prb_test_unique_name("f", family->id);
}

int family_fail(struct family *family, const char *fmt, ...)
{
    va_list args;

    if (family->why[0])
        return -1; /* the first reason is the one */
    va_start(args, fmt);
    (void)vsnprintf(family->why, PRB_TEST_WHY_SIZE, fmt, args); /* NOLINT(clang-analyzer-valist*) */
    va_end(args);
    return -1;
}

struct prb_ref family_ref(const struct family *family, enum sort sort, const char *suffix)
{
    const struct prb_gvr gvr = sort_gvr(sort);
    prb_autofree char *name = prb_asprintf("%s%s", family->id, suffix);
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &gvr, sort_is_claim(sort) ? NAMESPACE : NULL, name);
    return ref;
}

int family_create(struct family *family, enum sort sort, const char *suffix, const char *meta,
        const char *spec)
{
    const struct prb_ref ref = family_ref(family, sort, suffix);
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'" API_VERSION "','kind':'%s','metadata':{'name':'%s'%s%s%s%s%s},"
            "'spec':{%s}}",
            sort_kind(sort), ref.name, ref.namespace[0] ? ",'namespace':'" : "", ref.namespace,
            ref.namespace[0] ? "'" : "", meta[0] ? "," : "", meta, spec);
    struct prb_error err;

    if (prb_api_create(family->stage->direct, &ref, body, NULL, NULL, &err) < 0)
        return family_fail(family, "make %s: %s", ref.name, err.msg);
    return 0;
}

struct prb_object *family_get(struct family *family, enum sort sort, const char *suffix)
{
    const struct prb_ref ref = family_ref(family, sort, suffix);
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_api_get(family->stage->direct, &ref, NULL, &object, &err);
    return object;
}

int family_delete(
        struct family *family, enum sort sort, const char *suffix, enum prb_propagation propagation)
{
    const struct prb_ref ref = family_ref(family, sort, suffix);
    prb_auto(prb_object_unref) struct prb_object *object = family_get(family, sort, suffix);
    const struct prb_delete_options options = { .uid = object ? prb_object_uid(object) : "",
        .propagation = propagation };
    struct prb_error err;

    if (!object)
        return family_fail(family, "%s is not there to be deleted", ref.name);
    if (prb_api_delete(family->stage->direct, &ref, &options, &err) < 0)
        return family_fail(family, "delete %s: %s", ref.name, err.msg);
    return 0;
}

int family_patch(struct family *family, enum sort sort, const char *suffix, const char *merge_patch)
{
    const struct prb_ref ref = family_ref(family, sort, suffix);
    prb_auto(prb_json_free) struct json_object *patch = prb_test_json("%s", merge_patch);
    struct prb_error err;

    if (prb_api_patch(family->stage->direct, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err) < 0)
        return family_fail(family, "patch %s: %s", ref.name, err.msg);
    return 0;
}

int family_let_go(struct family *family, enum sort sort, const char *suffix)
{
    return family_patch(family, sort, suffix, "{'metadata':{'labels':{'" HELD_LABEL "':null}}}");
}

/* Metadata of something that Crossplane made: finalizer, label and controller. */
static char *composed_meta(struct family *family, const char *finalizer, bool held,
        enum sort owner_sort, const char *owner_suffix, bool blocking)
{
    prb_auto(prb_object_unref) struct prb_object *owner =
            owner_suffix ? family_get(family, owner_sort, owner_suffix) : NULL;
    prb_autofree char *owners =
            owner ? prb_asprintf(",'ownerReferences':[{'apiVersion':'" API_VERSION "','kind':'%s',"
                                 "'name':'%s','uid':'%s','controller':true%s}]",
                            sort_kind(owner_sort), prb_object_name(owner), prb_object_uid(owner),
                            blocking ? ",'blockOwnerDeletion':true" : "")
                  : prb_strdup("");

    return prb_asprintf("'finalizers':['%s'],'labels':{%s}%s", finalizer,
            held ? "'" HELD_LABEL "':'yes'" : "", owners);
}

static char *list_leaves(const struct family *family, size_t count)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, 65536);
    for (size_t i = 0; i < count; i++)
        prb_str_addf(&text, "%s{'apiVersion':'" API_VERSION "','kind':'%s','name':'%s-%zu'}",
                i > 0 ? "," : "", sort_kind(LEAF), family->id, i);
    return prb_strdup(prb_str_get(&text));
}

static int make_root(struct family *family, size_t leaves, unsigned flags)
{
    prb_autofree char *list = flags & DEEP ? prb_asprintf("{'apiVersion':'" API_VERSION
                                                          "','kind':'%s','name':'%s-sub'}",
                                                     sort_kind(SUB), family->id)
                                           : list_leaves(family, leaves);
    prb_autofree char *claim =
            flags & STANDALONE
                    ? prb_strdup("")
                    : prb_asprintf("'claimRef':{'apiVersion':'" API_VERSION "','kind':'%s',"
                                   "'namespace':'" NAMESPACE "','name':'%s'},",
                              sort_kind(family->claim), family->id);
    prb_autofree char *spec = prb_asprintf("%s'resourceRefs':[%s]", claim, list);
    prb_autofree char *meta =
            composed_meta(family, COMPOSITE_FINALIZER, flags & HELD_ROOT, ROOT, NULL, false);

    return family_create(family, family->root, "", meta, spec);
}

static int make_leaves(struct family *family, size_t leaves, unsigned flags)
{
    for (size_t i = 0; i < leaves; i++) {
        prb_autofree char *suffix = prb_asprintf("-%zu", i);
        prb_autofree char *meta = composed_meta(family, LEAF_FINALIZER,
                i == 0 && (flags & HELD_LEAF), flags & DEEP ? SUB : family->root,
                flags & DEEP ? "-sub" : "", flags & BLOCKING);

        DO(family_create(family, LEAF, suffix, meta, ""));
    }
    family->leaves = leaves;
    return 0;
}

static int make_sub(struct family *family, size_t leaves, unsigned flags)
{
    prb_autofree char *list = list_leaves(family, leaves);
    prb_autofree char *spec = prb_asprintf("'resourceRefs':[%s]", list);
    prb_autofree char *meta =
            composed_meta(family, COMPOSITE_FINALIZER, false, family->root, "", flags & BLOCKING);

    family->deep = true;
    return family_create(family, SUB, "-sub", meta, spec);
}

static int make_claim(struct family *family, const char *policy)
{
    prb_autofree char *spec = prb_asprintf("'resourceRef':{'apiVersion':'" API_VERSION
                                           "','kind':'%s','name':'%s'}%s%s%s",
            sort_kind(family->root), family->id, policy ? ",'compositeDeletePolicy':'" : "",
            policy ? policy : "", policy ? "'" : "");

    return family_create(family, family->claim, "", "", spec);
}

int family_make(struct family *family, const char *policy, size_t leaves, unsigned flags)
{
    DO(make_root(family, leaves, flags));
    if (flags & DEEP)
        DO(make_sub(family, leaves, flags));
    DO(make_leaves(family, leaves, flags));
    if (flags & STANDALONE)
        return 0;
    return make_claim(family, policy);
}
