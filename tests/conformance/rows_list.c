/* What is in a list, and what is in its pages? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "objects.h"
#include "support/json_text.h"

/* ConfigMaps o-0 ... with data. */
static int create_many(struct conf *c, int count)
{
    for (int i = 0; i < count; i++) {
        char name[16];
        int r;

        (void)snprintf(name, sizeof(name), "o-%d", i);
        r = conf_create(c, &conf_configmap,
                conf_body(c, &conf_configmap, name, "{'data':{'k':'v'}}"), NULL);
        if (r < 0)
            return r;
    }
    return 0;
}

static int a_list_is_sorted_by_name(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_OK(c, conf_create_plain(c, "b", NULL));
    CONF_OK(c, conf_create_plain(c, "c", NULL));
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_list(c, &conf_configmap, NULL, &page));
    CONF_INT(c, 3, page.count);
    CONF_TRUE(c, conf_is(c, page.objects[0], "a"));
    CONF_TRUE(c, conf_is(c, page.objects[1], "b"));
    CONF_TRUE(c, conf_is(c, page.objects[2], "c"));
    CONF_TRUE(c, page.next == NULL);
    CONF_TRUE(c, page.resource_version && page.resource_version[0]);
    return 0;
}

static int an_empty_list_is_a_list(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_OK(c, conf_list(c, &conf_configmap, NULL, &page));
    CONF_INT(c, 0, page.count);
    CONF_TRUE(c, page.resource_version && page.resource_version[0]);
    return 0;
}

static int pages_together_are_the_list(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page first;
    prb_auto(prb_page_done) struct prb_page second;
    prb_auto(prb_page_done) struct prb_page third;

    prb_page_init(&first);
    prb_page_init(&second);
    prb_page_init(&third);
    CONF_OK(c, create_many(c, 7));
    CONF_OK(c, conf_list(c, &conf_configmap, &(struct prb_list_options){ .limit = 3 }, &first));
    CONF_INT(c, 3, first.count);
    CONF_TRUE(c, first.next != NULL);
    CONF_OK(c, conf_list(c, &conf_configmap,
                       &(struct prb_list_options){ .limit = 3, .next = first.next }, &second));
    CONF_INT(c, 3, second.count);
    CONF_OK(c, conf_list(c, &conf_configmap,
                       &(struct prb_list_options){ .limit = 3, .next = second.next }, &third));
    CONF_INT(c, 1, third.count);
    CONF_TRUE(c, third.next == NULL);
    CONF_TRUE(c, conf_find(c, &first, "o-2") && conf_find(c, &second, "o-3"));
    CONF_TRUE(c, conf_find(c, &third, "o-6"));
    CONF_STR(c, first.resource_version, third.resource_version);
    return 0;
}

static int pages_show_one_moment(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page first;
    prb_auto(prb_page_done) struct prb_page rest;

    prb_page_init(&first);
    prb_page_init(&rest);
    CONF_OK(c, create_many(c, 4));
    CONF_OK(c, conf_list(c, &conf_configmap, &(struct prb_list_options){ .limit = 2 }, &first));
    CONF_OK(c, conf_create_plain(c, "o-9", NULL));
    CONF_OK(c, conf_delete(c, &conf_configmap, "o-3", PRB_PROPAGATE_DEFAULT));
    CONF_OK(c, conf_merge(c, &conf_configmap, "o-2", prb_test_json("{'data':{'k':'new'}}"), NULL));
    CONF_OK(c, conf_list(c, &conf_configmap,
                       &(struct prb_list_options){ .limit = 9, .next = first.next }, &rest));
    CONF_INT(c, 2, rest.count);
    CONF_TRUE(c, conf_is(c, rest.objects[0], "o-2") && conf_is(c, rest.objects[1], "o-3"));
    CONF_STR(c, "v", prb_json_str(prb_json_obj(prb_object_tree(rest.objects[0]), "data"), "k"));
    return 0;
}

static int all_pages_come_as_one(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;
    const struct prb_list_options options = {
        .namespace = c->ns, .label_selector = c->selector, .limit = 2
    };

    prb_page_init(&page);
    CONF_OK(c, create_many(c, 5));
    CONF_OK(c, prb_api_list_all(c->api, &conf_configmap.gvr, &options, 5, &page, &c->err));
    CONF_INT(c, 5, page.count);
    CONF_TRUE(c, page.next == NULL);
    prb_page_done(&page);
    CONF_FAILS(c, PRB_E_INVALID,
            prb_api_list_all(c->api, &conf_configmap.gvr, &options, 4, &page, &c->err));
    return 0;
}

static int a_token_that_is_none_is_invalid(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_FAILS(c, PRB_E_INVALID,
            conf_list(c, &conf_configmap,
                    &(struct prb_list_options){ .limit = 1, .next = "no-token" }, &page));
    return 0;
}

static int a_list_may_span_namespaces(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_OK(c, conf_create_plain(c, "a", NULL));
    CONF_OK(c, conf_create(c, &conf_configmap,
                       conf_body(c, &conf_configmap, "b", "{'metadata':{'namespace':'%s'}}",
                               c->other_ns),
                       NULL));
    CONF_OK(c,
            conf_list(c, &conf_configmap,
                    &(struct prb_list_options){ .namespace = "", .field_selector = NULL }, &page));
    CONF_TRUE(c, conf_find(c, &page, "a") && conf_find(c, &page, "b"));
    prb_page_done(&page);
    CONF_OK(c, conf_list(c, &conf_configmap, NULL, &page));
    CONF_TRUE(c, conf_find(c, &page, "a") && !conf_find(c, &page, "b"));
    return 0;
}

/* What metadata-only answers have: names and labels; and what not: the rest. */
static int check_metadata_only(struct conf *c, const struct prb_object *object)
{
    CONF_TRUE(c, object != NULL);
    CONF_STR(c, c->id, prb_object_label(object, "row"));
    CONF_TRUE(c, prb_object_uid(object)[0] && prb_object_resource_version(object)[0]);
    CONF_TRUE(c, !prb_json_has(prb_object_tree(object), "data"));
    CONF_TRUE(c, !prb_json_has(prb_object_tree(object), "spec"));
    return 0;
}

static int a_list_may_be_metadata_only(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_OK(c, create_many(c, 2));
    CONF_OK(c, conf_list(c, &conf_configmap, &(struct prb_list_options){ .metadata_only = true },
                       &page));
    CONF_INT(c, 2, page.count);
    return check_metadata_only(c, page.objects[0]);
}

static int a_get_may_be_metadata_only(struct conf *c)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref = conf_ref(c, &c->widget, "a");

    CONF_OK(c, conf_create(c, &c->widget, conf_body(c, &c->widget, "a", "{'spec':{'n':1}}"), NULL));
    CONF_OK(c, prb_api_get(c->api, &ref, &(struct prb_get_options){ .metadata_only = true },
                       &object, &c->err));
    return check_metadata_only(c, object);
}

static int lists_leave_managed_fields_out(struct conf *c)
{
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    CONF_OK(c, create_many(c, 1));
    CONF_OK(c, conf_list(c, &conf_configmap, NULL, &page));
    CONF_INT(c, 1, page.count);
    CONF_TRUE(c, !prb_json_has(prb_json_obj(prb_object_tree(page.objects[0]), "metadata"),
                         "managedFields"));
    prb_page_done(&page);
    CONF_OK(c, conf_list(c, &conf_configmap, &(struct prb_list_options){ .metadata_only = true },
                       &page));
    CONF_TRUE(c, !prb_json_has(prb_json_obj(prb_object_tree(page.objects[0]), "metadata"),
                         "managedFields"));
    return 0;
}

static const struct conf_row rows[] = {
    { "a list is sorted by name", a_list_is_sorted_by_name },
    { "an empty list is a list, with a resourceVersion", an_empty_list_is_a_list },
    { "pages together are the whole list, each object once", pages_together_are_the_list },
    { "pages show one moment, whatever is written meanwhile", pages_show_one_moment },
    { "a list of all pages has every object, up to a bound", all_pages_come_as_one },
    { "a continue token that is none is INVALID", a_token_that_is_none_is_invalid },
    { "a list may span all namespaces", a_list_may_span_namespaces },
    { "a list may be metadata only", a_list_may_be_metadata_only },
    { "a get may be metadata only", a_get_may_be_metadata_only },
    { "lists leave managedFields out", lists_leave_managed_fields_out },
};
CONF_ROWS(conf_list_rows, rows);
