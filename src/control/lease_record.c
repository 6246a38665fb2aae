/* How is a leader written into a Lease? */

#include "lease_record.h"

#include "probate/base/str.h"

#include "text.h"

static void read_text(const struct json_object *spec, const char *key, char *to, size_t size)
{
    const char *text = prb_json_str(spec, key);

    prb_text_copy(to, size, text ? text : "");
}

void prb_lease_record_read(const struct prb_object *lease, struct prb_lease_record *ret)
{
    const struct json_object *spec = prb_object_spec(lease);

    *ret = (struct prb_lease_record){ .duration_s = 0 };
    read_text(spec, "holderIdentity", ret->holder, sizeof(ret->holder));
    read_text(spec, "acquireTime", ret->acquired, sizeof(ret->acquired));
    read_text(spec, "renewTime", ret->renewed, sizeof(ret->renewed));
    (void)prb_json_int(spec, "leaseDurationSeconds", &ret->duration_s);
    (void)prb_json_int(spec, "leaseTransitions", &ret->transitions);
}

bool prb_lease_record_equal(const struct prb_lease_record *a, const struct prb_lease_record *b)
{
    return prb_streq(a->holder, b->holder) && a->duration_s == b->duration_s &&
           prb_streq(a->acquired, b->acquired) && prb_streq(a->renewed, b->renewed) &&
           a->transitions == b->transitions;
}

static struct json_object *new_lease(const struct prb_ref *ref)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata;

    prb_json_set_str(body, "apiVersion", "coordination.k8s.io/v1");
    prb_json_set_str(body, "kind", "Lease");
    metadata = prb_json_ensure_obj(body, "metadata");
    prb_json_set_str(metadata, "namespace", ref->namespace);
    prb_json_set_str(metadata, "name", ref->name);
    return body;
}

struct json_object *prb_lease_record_body(const struct prb_lease_record *record,
        const struct prb_object *seen, const struct prb_ref *ref)
{
    struct json_object *body = seen ? prb_object_copy(seen) : new_lease(ref);
    struct json_object *spec = prb_json_ensure_obj(body, "spec");

    prb_json_set_str(spec, "holderIdentity", record->holder);
    prb_json_set_int(spec, "leaseDurationSeconds", record->duration_s);
    prb_json_set_str(spec, "acquireTime", record->acquired);
    prb_json_set_str(spec, "renewTime", record->renewed);
    prb_json_set_int(spec, "leaseTransitions", record->transitions);
    return body;
}
