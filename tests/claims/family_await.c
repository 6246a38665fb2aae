/* When has a claim, or what belongs to it, come to where it should? */

#include <stdio.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "family.h"
#include "support/json_text.h"
#include "support/wait.h"

/* One thing to wait for. */
struct hope {
    struct family *family;
    enum sort sort;
    const char *suffix;
    const char *reason, *text;
    char seen[600]; /* what there was instead */
};

static int await(struct hope *hope, bool (*holds)(void *ctx), const char *what)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "this to end: %s %s%s: %s %s %s",
                    sort_kind(hope->sort), hope->family->id, hope->suffix ? hope->suffix : "", what,
                    hope->reason ? hope->reason : "", hope->text ? hope->text : "");

    while (!holds(hope)) {
        (void)prb_test_saw("%s", hope->seen);
        if (!prb_test_wait_more(&wait))
            return family_fail(hope->family, "%s", prb_test_awaited());
    }
    return 0;
}

/* Asking for everything again and again would keep the server from its work. */
static const struct prb_object *look(struct hope *hope)
{
    const struct prb_ref ref = family_ref(hope->family, hope->sort, hope->suffix);
    const struct prb_object *object = stage_newest(hope->family->stage, hope->sort, ref.name);
    prb_autofree char *text = object ? prb_json_text(prb_object_tree(object), false) : NULL;

    (void)snprintf(hope->seen, sizeof(hope->seen), "%s", text ? text : "nothing");
    return object;
}

/* What was never heard of is asked for. */
static bool is_gone(void *ctx)
{
    struct hope *hope = ctx;
    const struct prb_ref ref = family_ref(hope->family, hope->sort, hope->suffix);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;

    return !look(hope) &&
           prb_api_get(hope->family->stage->direct, &ref, NULL, &object, &err) == PRB_E_NOTFOUND;
}

int family_await_gone(struct family *family, enum sort sort, const char *suffix)
{
    return await(&(struct hope){ .family = family, .sort = sort, .suffix = suffix }, is_gone,
            "is not gone");
}

static bool is_deleting(void *ctx)
{
    const struct prb_object *object = look(ctx);

    return object && prb_object_is_deleting(object);
}

int family_await_deleting(struct family *family, enum sort sort, const char *suffix)
{
    return await(&(struct hope){ .family = family, .sort = sort, .suffix = suffix }, is_deleting,
            "is not being deleted");
}

static bool has_finalizer(void *ctx)
{
    struct hope *hope = ctx;
    const struct prb_object *object = look(hope);

    return object && prb_object_has_finalizer(object, hope->text);
}

int family_await_finalizer(
        struct family *family, enum sort sort, const char *suffix, const char *finalizer)
{
    return await(
            &(struct hope){ .family = family, .sort = sort, .suffix = suffix, .text = finalizer },
            has_finalizer, "has not the finalizer");
}

static bool does_block(void *ctx)
{
    const struct prb_object *object = look(ctx);
    struct prb_owner owner;

    return object && prb_object_owner_at(object, 0, &owner) && owner.controller &&
           owner.block_owner_deletion;
}

int family_await_blocking(struct family *family)
{
    for (size_t i = 0; i < family->leaves; i++) {
        prb_autofree char *suffix = prb_asprintf("-%zu", i);

        DO(await(&(struct hope){ .family = family, .sort = LEAF, .suffix = suffix }, does_block,
                "does not block"));
    }
    if (!family->deep)
        return 0;
    return await(&(struct hope){ .family = family, .sort = SUB, .suffix = "-sub" }, does_block,
            "does not block");
}

static bool is_said(void *ctx)
{
    struct hope *hope = ctx;
    const struct prb_object *claim = look(hope);
    const struct json_object *list =
            claim ? prb_json_arr(prb_object_status(claim), "conditions") : NULL;

    (void)snprintf(hope->seen, sizeof(hope->seen), "%s", claim ? "no condition" : "no claim");
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *item = prb_json_elem(list, i);
        const char *message = prb_json_str(item, "message");

        if (!prb_streq(prb_json_str(item, "type"), "Ready"))
            continue;
        (void)snprintf(hope->seen, sizeof(hope->seen), "%s: %s", prb_json_str(item, "reason"),
                message ? message : "");
        return prb_streq(prb_json_str(item, "status"), "False") &&
               prb_streq(prb_json_str(item, "reason"), hope->reason) && message &&
               strstr(message, hope->text);
    }
    return false;
}

int family_await_said(struct family *family, const char *reason, const char *text)
{
    return await(&(struct hope){ .family = family,
                         .sort = family->claim,
                         .suffix = "",
                         .reason = reason,
                         .text = text },
            is_said, "does not say");
}

static bool has_event(void *ctx)
{
    static const struct prb_gvr events = { "", "v1", "events" };
    struct hope *hope = ctx;
    const struct prb_list_options options = { .namespace = NAMESPACE };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    prb_page_init(&page);
    if (prb_api_list_all(hope->family->stage->direct, &events, &options, 100000, &page, &err) < 0)
        return false;
    for (size_t i = 0; i < page.count; i++) {
        const struct json_object *event = prb_object_tree(page.objects[i]);
        const struct json_object *about = prb_json_obj(event, "involvedObject");

        if (prb_streq(prb_json_str(about, "name"), hope->family->id) &&
                prb_streq(prb_json_str(event, "reason"), hope->reason))
            return true;
    }
    return false;
}

int family_await_event(struct family *family, const char *reason)
{
    return await(
            &(struct hope){
                    .family = family, .sort = family->claim, .suffix = "", .reason = reason },
            has_event, "there is no Event");
}

int family_expect_untouched(struct family *family, enum sort sort, const char *suffix)
{
    prb_auto(prb_object_unref) struct prb_object *object = family_get(family, sort, suffix);

    if (!object || prb_object_is_deleting(object))
        return family_fail(family, "%s %s%s was touched", sort_kind(sort), family->id, suffix);
    return 0;
}

int family_await_end(struct family *family)
{
    for (size_t i = 0; i < family->leaves; i++) {
        prb_autofree char *suffix = prb_asprintf("-%zu", i);

        DO(family_await_gone(family, LEAF, suffix));
    }
    if (family->deep)
        DO(family_await_gone(family, SUB, "-sub"));
    DO(family_await_gone(family, family->root, ""));
    return family_await_gone(family, family->claim, "");
}

/* The log may be a moment behind what is so. */
struct logged {
    struct family *family;
    enum sort sort;
    const char *name;
    int64_t at;
};

static bool is_logged(void *ctx)
{
    struct logged *logged = ctx;

    logged->at = stage_gone_at(logged->family->stage, logged->sort, logged->name);
    return logged->at > 0 || prb_test_saw("nothing of the end of %s", logged->name);
}

static int64_t gone_at(struct family *family, enum sort sort, const char *suffix)
{
    const struct prb_ref ref = family_ref(family, sort, suffix);
    struct logged logged = { .family = family, .sort = sort, .name = ref.name };

    (void)prb_test_await(
            "the watch has told that it is gone", is_logged, &logged, PRB_TEST_SOON_MS);
    return logged.at;
}

static int expect_before(struct family *family, int64_t below, int64_t above, const char *what)
{
    if (below > 0 && above > 0 && below < above)
        return 0;
    return family_fail(family, "%s: what is below went at %lld, it at %lld", what, (long long)below,
            (long long)above);
}

int family_expect_bottom_up(struct family *family)
{
    enum sort middle = family->deep ? SUB : family->root;
    int64_t middle_at = gone_at(family, middle, family->deep ? "-sub" : "");
    int64_t root_at = gone_at(family, family->root, "");

    for (size_t i = 0; i < family->leaves; i++) {
        prb_autofree char *suffix = prb_asprintf("-%zu", i);

        DO(expect_before(family, gone_at(family, LEAF, suffix), middle_at, sort_kind(middle)));
    }
    if (family->deep)
        DO(expect_before(family, middle_at, root_at, sort_kind(family->root)));
    if (stage_deleted_at(family->stage, family->claim, family->id) == 0)
        return 0; /* it has none */
    return expect_before(family, root_at, gone_at(family, family->claim, ""), "claim");
}

/* What is left of it goes with the hub, or with the control plane; only what the provider would
 * wait for is let go. */
void family_close(struct family *family)
{
    static const struct {
        enum sort sort;
        const char *suffix;
    } all[] = { { ROOT, "" }, { SITE_ROOT, "" }, { SUB, "-sub" }, { LEAF, "-0" } };
    char why[PRB_TEST_WHY_SIZE] = "";
    struct family quiet = *family;

    quiet.why = why;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object =
                family_get(&quiet, all[i].sort, all[i].suffix);

        if (object && prb_object_label(object, HELD_LABEL))
            (void)family_let_go(&quiet, all[i].sort, all[i].suffix);
    }
}
