/* Is this text one JSON value, and which tree is it? */

#include "probate/base/json_reader.h"

int prb_json_parse(const char *text, size_t len, const struct prb_json_options *options,
        struct json_object **ret, struct prb_error *err)
{
    static const struct prb_json_options defaults = { .filter = NULL };
    const struct prb_json_options *o = options ? options : &defaults;
    const struct prb_json_reader_options reading = {
        .filter = o->filter, .depth_max = o->depth_max, .built_max = o->built_max
    };
    prb_auto(prb_json_reader_free) struct prb_json_reader *reader = prb_json_reader_new(&reading);
    int r = prb_json_reader_feed(reader, text, len, err);

    return r < 0 ? r : prb_json_reader_end(reader, ret, err);
}
