/* How does a kind of our own come to be served? */

#include "crd.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "objects.h"
#include "support/json_text.h"
#include "support/wait.h"

/* Conditions are a map by type, as in every well-made API; all else is free. */
#define STATUS_SCHEMA                                                                     \
    "{'type':'object','x-kubernetes-preserve-unknown-fields':true,'properties':"          \
    "{'conditions':{'type':'array','x-kubernetes-list-type':'map',"                       \
    "'x-kubernetes-list-map-keys':['type'],'items':{'type':'object','required':['type']," \
    "'properties':{'type':{'type':'string'},'status':{'type':'string'}}}}}}"

static struct json_object *crd_body(const struct conf_crd_spec *spec, const struct conf_kind *kind)
{
    const char *plural = kind->gvr.resource;
    prb_autofree char *singular = prb_strndup(plural, strlen(plural) - 1);

    return prb_test_json(
            "{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
            "'metadata':{'name':'%s.%s'},'spec':{'group':'%s','scope':'%s','names':"
            "{'plural':'%s','singular':'%s','kind':'%s','shortNames':['%s']},"
            "'versions':[{'name':'v1','served':true,'storage':true,'subresources':%s,"
            "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':"
            "{'type':'object','x-kubernetes-preserve-unknown-fields':true},'status':%s}}}}]}}",
            plural, spec->group, spec->group, spec->namespaced ? "Namespaced" : "Cluster", plural,
            singular, spec->kind, spec->short_name, spec->status ? "{'status':{}}" : "{}",
            STATUS_SCHEMA);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static void fill_kind(const struct conf_crd_spec *spec, struct conf_kind *kind)
{
    char plural[PRB_RESOURCE_SIZE];

    (void)snprintf(plural, sizeof(plural), "%.50ss", spec->kind);
    for (char *at = plural; *at; at++)
        *at = lower(*at);
    *kind = (struct conf_kind){ .namespaced = spec->namespaced };
    (void)prb_gvr_init(&kind->gvr, spec->group, "v1", plural);
    (void)prb_copy(kind->kind, sizeof(kind->kind), spec->kind);
}

/* Established is said a moment before every part of a real server serves it. */
static int wait_served(struct conf *c, const struct conf_kind *kind)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "%s are served", kind->gvr.resource);
    int r;

    for (;;) {
        prb_auto(prb_page_done) struct prb_page page;
        struct prb_resource found;

        prb_page_init(&page);
        r = prb_api_list(c->api, &kind->gvr, NULL, &page, &c->err);
        if (r == 0)
            r = prb_api_resolve(c->api, kind->gvr.group, kind->kind, &found, &c->err);
        /* A new group is named a moment before it is served: until then nobody can tell. */
        if (r != PRB_E_NOTFOUND && r != PRB_E_UNAVAILABLE)
            return r;
        (void)prb_test_saw("%s", c->err.msg);
        if (!prb_test_wait_more(&wait))
            return prb_fail(&c->err, (enum prb_errc)r, "%s", prb_test_awaited());
    }
}

int conf_crd_create(struct conf *c, const struct conf_crd_spec *spec, struct conf_kind *ret)
{
    int r;

    fill_kind(spec, ret);
    r = conf_create(c, &conf_crd, crd_body(spec, ret), NULL);
    return r < 0 ? r : wait_served(c, ret);
}

int conf_crd_delete(struct conf *c, const struct conf_kind *kind)
{
    prb_auto(prb_object_unref) struct prb_object *crd = NULL;
    prb_autofree char *name = prb_asprintf("%s.%s", kind->gvr.resource, kind->gvr.group);
    struct prb_ref ref = { .gvr = conf_crd.gvr };
    int r;

    (void)prb_copy(ref.name, sizeof(ref.name), name);
    c->err = (struct prb_error){ .code = PRB_OK };
    r = prb_api_get(c->api, &ref, NULL, &crd, &c->err);
    if (r < 0)
        return r;
    return prb_api_delete(
            c->api, &ref, &(struct prb_delete_options){ .uid = prb_object_uid(crd) }, &c->err);
}
