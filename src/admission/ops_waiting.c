/* Which deletions wait, what for, and since when? */

#include <string.h>

#include "probate/base/json.h"

#include "ops_pages.h"

/* Room kept for what closes the list. */
#define TAIL_MAX 64

/* A walk over the waits. */
struct listing {
    struct prb_str *body;
    int64_t now_ms;
    size_t count;
    size_t left_out; /* did not fit */
};

/* Take back what was added since `len` when it leaves no room for the tail. */
static void keep_if_it_fits(struct listing *listing, size_t len)
{
    struct prb_str *body = listing->body;

    if (!body->cut && body->len + TAIL_MAX <= body->max) {
        listing->count++;
        return;
    }
    if (body->data)
        body->data[len] = '\0';
    body->len = len;
    body->cut = false;
    listing->left_out++;
}

static void add_text(void *sink, const struct prb_ops_wait *wait)
{
    struct listing *listing = sink;
    size_t before = listing->body->len;
    char object[PRB_REF_TEXT_SIZE], since[PRB_TIME_SIZE], age[PRB_TIME_SIZE];

    prb_ref_describe(wait->ref, object);
    prb_str_addf(listing->body, "%s waits for: %s", object, wait->waits_for);
    if (wait->since_ms > 0) {
        prb_time_format(wait->since_ms, since);
        prb_duration_format(
                listing->now_ms > wait->since_ms ? listing->now_ms - wait->since_ms : 0, age);
        prb_str_addf(listing->body, ", unchanged since %s (%s)", since, age);
    }
    prb_str_addc(listing->body, '\n');
    keep_if_it_fits(listing, before);
}

static void add_member(struct prb_str *body, const char *name, const char *value)
{
    prb_str_addf(body, ",\"%s\":", name);
    prb_json_print_string(value, strlen(value), body);
}

static void add_json(void *sink, const struct prb_ops_wait *wait)
{
    struct listing *listing = sink;
    struct prb_str *body = listing->body;
    size_t before = body->len;
    char since[PRB_TIME_SIZE];

    prb_str_add(body, listing->count > 0 ? ",\n" : "\n");
    prb_str_add(body, "{\"controller\":");
    prb_json_print_string(wait->controller, strlen(wait->controller), body);
    add_member(body, "group", wait->ref->gvr.group);
    add_member(body, "version", wait->ref->gvr.version);
    add_member(body, "resource", wait->ref->gvr.resource);
    add_member(body, "namespace", wait->ref->namespace);
    add_member(body, "name", wait->ref->name);
    add_member(body, "waitsFor", wait->waits_for);
    if (wait->since_ms > 0) {
        prb_time_format(wait->since_ms, since);
        add_member(body, "since", since);
    }
    prb_str_addc(body, '}');
    keep_if_it_fits(listing, before);
}

static void print_text(const struct prb_ops_source *source, struct listing *listing)
{
    source->each_wait(source->ctx, add_text, listing);
    if (listing->left_out > 0)
        prb_str_addf(listing->body, "and %zu more\n", listing->left_out);
    else if (listing->count == 0)
        prb_str_add(listing->body, "nothing waits\n");
}

static void print_json(const struct prb_ops_source *source, struct listing *listing)
{
    prb_str_addc(listing->body, '[');
    source->each_wait(source->ctx, add_json, listing);
    if (listing->left_out > 0)
        prb_str_addf(listing->body, ",\n{\"leftOut\":%zu}", listing->left_out);
    prb_str_add(listing->body, listing->count > 0 ? "\n]\n" : "]\n");
}

bool prb_ops_waiting(
        const struct prb_ops_source *source, const char *output, struct prb_ops_reply *reply)
{
    const struct prb_clock *clock = source->clock ? source->clock : prb_clock_system();
    struct listing listing = { .body = &reply->body, .now_ms = clock->wall_ms(clock) };

    if (!output || prb_streq(output, "text")) {
        print_text(source, &listing);
        return true;
    }
    if (!prb_streq(output, "json"))
        return false;
    reply->content_type = "application/json";
    print_json(source, &listing);
    return true;
}
