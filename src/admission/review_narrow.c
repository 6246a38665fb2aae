/*
 * What does a review that waits for live answers still need? The members that the rules for it
 * read, of all that were built before anybody knew what it is about.
 */

#include "review_narrow.h"

#include "probate/base/json_reader.h"
#include "probate/base/mem.h"

#include "review_filter.h"

static const struct prb_json_filter *below(const struct prb_json_filter *filter, const char *key)
{
    while (!prb_streq(filter->key, key))
        filter++;
    return filter->children;
}

static size_t built(const struct prb_object *object)
{
    return prb_json_built(prb_object_tree(object));
}

static size_t narrow(struct prb_object **object, const struct prb_json_filter *filter)
{
    struct prb_object *narrowed;
    struct prb_error err;
    size_t before, after;

    if (!*object || prb_object_draft(prb_json_copy_part(prb_object_tree(*object), filter),
                            &narrowed, &err) < 0)
        return 0;
    before = built(*object);
    after = built(narrowed);
    prb_object_unref(*object);
    *object = narrowed;
    return before > after ? before - after : 0;
}

size_t prb_review_narrow(const struct prb_judge *judge, struct prb_request *request)
{
    struct prb_rule readers[PRB_READS_MAX];
    const struct prb_rule *rules[PRB_READS_MAX];
    const char *const *reads[PRB_READS_MAX];
    size_t count = prb_judge_reads(judge, request, reads);
    const struct prb_json_filter *filter;
    struct prb_review_reader *reader;
    size_t freed;

    for (size_t i = 0; i < count; i++) {
        readers[i] = (struct prb_rule){ .reads = reads[i] };
        rules[i] = &readers[i];
    }
    reader = prb_review_reader_new(rules, count);
    filter = below(below(prb_review_filter(reader), "request"), "object");
    freed = narrow(&request->object, filter) + narrow(&request->old, filter);
    prb_review_reader_free(reader);
    return freed;
}
