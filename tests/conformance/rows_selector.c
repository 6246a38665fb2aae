/* Which objects does a selector select? */

#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

#include "objects.h"

/* a: tier=web, env=dev   b: tier=web   c: tier=db, env=prod   d: no labels of these */
static int create_labelled(struct conf *c)
{
    static const struct {
        const char *name, *labels;
    } objects[] = {
        { "a", "{'tier':'web','env':'dev'}" },
        { "b", "{'tier':'web'}" },
        { "c", "{'tier':'db','env':'prod'}" },
        { "d", "{}" },
    };

    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        int r = conf_create(c, &conf_configmap,
                conf_body(c, &conf_configmap, objects[i].name, "{'metadata':{'labels':%s}}",
                        objects[i].labels),
                NULL);

        if (r < 0)
            return r;
    }
    return 0;
}

struct selector_case {
    const char *text, *selected; /* as the letters of the objects */
};

/* Which of a b c d are selected by `text` among this row's objects. */
static int select_by(struct conf *c, const char *text, char selected[8])
{
    static const char *const names[] = { "a", "b", "c", "d" };
    prb_auto(prb_page_done) struct prb_page page;
    char selector[128];
    size_t count = 0;
    int r;

    prb_page_init(&page);
    (void)snprintf(selector, sizeof(selector), "%s,%s", c->selector, text);
    r = conf_list(
            c, &conf_configmap, &(struct prb_list_options){ .label_selector = selector }, &page);
    if (r < 0)
        return r;
    for (size_t i = 0; i < 4; i++) {
        if (conf_find(c, &page, names[i]))
            selected[count++] = names[i][0];
    }
    selected[count] = '\0';
    return 0;
}

static int check_cases(struct conf *c, const struct selector_case *cases, size_t count)
{
    CONF_OK(c, create_labelled(c));
    for (size_t i = 0; i < count; i++) {
        char selected[8];

        CONF_OK(c, select_by(c, cases[i].text, selected));
        if (!prb_streq(cases[i].selected, selected))
            return conf_fail(c, __LINE__, "'%s' selects '%s' instead of '%s'", cases[i].text,
                    selected, cases[i].selected);
    }
    return 0;
}

static int labels_are_compared(struct conf *c)
{
    static const struct selector_case cases[] = {
        { "tier=web", "ab" },
        { "tier==db", "c" },
        { "tier!=web", "cd" },
        { "tier=web,env=dev", "a" },
        { "env=", "" },
    };

    return check_cases(c, cases, sizeof(cases) / sizeof(cases[0]));
}

static int labels_are_looked_up_in_sets(struct conf *c)
{
    static const struct selector_case cases[] = {
        { "tier in (web,db)", "abc" },
        { "tier in ( db )", "c" },
        { "tier notin (web)", "cd" },
        { "env notin (dev,prod)", "bd" },
        { "env", "ac" },
        { "!env", "bd" },
        { "env,tier notin (db)", "a" },
    };

    return check_cases(c, cases, sizeof(cases) / sizeof(cases[0]));
}

static int a_selector_that_is_none_is_invalid(struct conf *c)
{
    static const char *const texts[] = { "a b", "a in x", "a in (x", "=x", "a=b=c", "a,,b", "-a=b",
        "a=-b", "a in (-)" };
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        int r = conf_list(c, &conf_configmap,
                &(struct prb_list_options){ .label_selector = texts[i] }, &page);

        if (r != PRB_E_INVALID)
            return conf_fail(c, __LINE__, "'%s' is %s", texts[i], prb_errc_name(r));
    }
    return 0;
}

/* List by field selector in all namespaces: how many were found, and the first. */
static int list_fields(struct conf *c, const char *text, struct prb_page *ret)
{
    return conf_list(c, &conf_configmap,
            &(struct prb_list_options){ .namespace = "", .field_selector = text }, ret);
}

static int names_can_be_selected(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_ref ref = conf_ref(c, &conf_configmap, "b");
    char text[PRB_NAME_SIZE + 32];

    prb_page_init(&page);
    CONF_OK(c, create_labelled(c));
    (void)snprintf(text, sizeof(text), "metadata.name=%s", ref.name);
    CONF_OK(c, list_fields(c, text, &page));
    CONF_INT(c, 1, page.count);
    CONF_TRUE(c, conf_is(c, page.objects[0], "b"));
    prb_page_done(&page);
    (void)snprintf(text, sizeof(text), "metadata.name!=%s", ref.name);
    CONF_OK(c, list_fields(c, text, &page));
    CONF_INT(c, 3, page.count);
    return 0;
}

static int namespaces_can_be_selected(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;
    char text[PRB_NAME_SIZE + 32];

    prb_page_init(&page);
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_create(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "b", "{'metadata':{'namespace':'%s'}}",
                               c->other_ns),
                       NULL));
    (void)snprintf(text, sizeof(text), "metadata.namespace==%s", c->other_ns);
    CONF_OK(c, list_fields(c, text, &page));
    CONF_INT(c, 1, page.count);
    CONF_TRUE(c, conf_is(c, page.objects[0], "b"));
    return 0;
}

static int other_fields_cannot_be_selected(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_FAILS(c, PRB_E_INVALID, list_fields(c, "data.k=v", &page));
    CONF_FAILS(c, PRB_E_INVALID, list_fields(c, "metadata.name", &page));
    return 0;
}

static const struct conf_row rows[] = {
    { "label selectors compare", labels_are_compared },
    { "label selectors look values up in sets and ask for presence", labels_are_looked_up_in_sets },
    { "a label selector that is none is INVALID", a_selector_that_is_none_is_invalid },
    { "field selectors know metadata.name", names_can_be_selected },
    { "field selectors know metadata.namespace", namespaces_can_be_selected },
    { "a field selector on anything else is INVALID", other_fields_cannot_be_selected },
};
CONF_ROWS(conf_selector_rows, rows);
