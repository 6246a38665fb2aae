/* Which resource does a name mean? */

#include "probate/base/str.h"

#include "objects.h"

static int check_resource(struct conf *c, const char *group, const char *name,
        const struct conf_kind *want, bool has_status)
{
    struct prb_resource found;

    c->err = (struct prb_error){ .code = PRB_OK };
    CONF_OK(c, prb_api_resolve(c->api, group, name, &found, &c->err));
    CONF_TRUE(c, prb_gvr_equal(&want->gvr, &found.gvr));
    CONF_STR(c, want->kind, found.kind);
    CONF_INT(c, want->namespaced, found.namespaced);
    CONF_INT(c, has_status, found.has_status);
    return 0;
}

static int built_in_kinds_have_all_their_names(struct conf *c)
{
    static const char *const names[] = { "configmaps", "configmap", "ConfigMap", "cm" };
    static const struct conf_kind deployment = {
        .gvr = { .group = "apps", .version = "v1", .resource = "deployments" },
        .kind = "Deployment",
        .namespaced = true
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        CONF_OK(c, check_resource(c, "", names[i], &conf_configmap, false));
    CONF_OK(c, check_resource(c, "apps", "deploy", &deployment, true));
    CONF_OK(c, check_resource(c, "", "ns", &conf_namespace, true));
    CONF_OK(c, check_resource(c, "apiextensions.k8s.io", "crd", &conf_crd, true));
    return 0;
}

static int case_does_not_matter(struct conf *c)
{
    static const char *const names[] = { "CONFIGMAPS", "Configmap", "configMap", "CM" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        CONF_OK(c, check_resource(c, "", names[i], &conf_configmap, false));
    return 0;
}

static int custom_resources_have_all_their_names(struct conf *c)
{
    static const char *const names[] = { "widgets", "widget", "Widget", "wdg", "WIDGET" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        CONF_OK(c, check_resource(c, c->widget.gvr.group, names[i], &c->widget, true));
    CONF_OK(c, check_resource(c, c->gadget.gvr.group, "gadgets", &c->gadget, false));
    return 0;
}

static int what_is_not_served_is_not_found(struct conf *c)
{
    struct prb_resource found;

    CONF_FAILS(c, PRB_E_NOTFOUND, prb_api_resolve(c->api, "", "nonsense", &found, &c->err));
    CONF_FAILS(c, PRB_E_NOTFOUND,
            prb_api_resolve(c->api, "nowhere.example.com", "things", &found, &c->err));
    CONF_FAILS(c, PRB_E_NOTFOUND, prb_api_resolve(c->api, "apps", "configmaps", &found, &c->err));
    return 0;
}

static const struct conf_row rows[] = {
    { "built-in kinds resolve by plural, singular, kind and short name",
            built_in_kinds_have_all_their_names },
    { "names resolve without regard to case", case_does_not_matter },
    { "custom resources resolve by all their names, with scope and subresource",
            custom_resources_have_all_their_names },
    { "what is not served resolves to NOTFOUND", what_is_not_served_is_not_found },
};
CONF_ROWS(conf_resolve_rows, rows);
