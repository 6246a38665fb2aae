/* What becomes of one recorded resource, in every combination that there is? */

#include <unity.h>

#include "probate/base/mem.h"

#include "../../src/reconcilers/work_remove.h"
#include "work_stage.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define OTHER OWNER("h1-other", "u-other")
#define OTHER_HUB OWNER("h2-w", "u-h2")
#define EARLIER OWNER("h1-w", "u-earlier")
#define DEPLOYMENT "{apiVersion: apps/v1, kind: Deployment, name: d, uid: u-d}"
#define NAMESAKE "{apiVersion: example.com/v1, kind: AppliedManifestWork, name: h1-other, uid: u-x}"
#define STRANGE "{apiVersion: a/b/c, kind: AppliedManifestWork, name: h1-other, uid: u-x}"
#define OLD_VERSION                                                                            \
    "{apiVersion: work.open-cluster-management.io/v1alpha1, kind: AppliedManifestWork, name: " \
    "h1-other, uid: u-other}"

struct row {
    const char *name, *metadata, *uid;
    bool stays, disowns_others;
    enum prb_removal_verdict wanted;
};

static const struct row rows[] = {
    { "owned and recorded", OWNERS(OURS), "u-m", .wanted = PRB_VERDICT_DELETE },
    { "owned and recorded before it was applied", OWNERS(OURS), "", .wanted = PRB_VERDICT_DELETE },
    { "owned and going", OWNERS(OURS) DELETED, "u-m", .wanted = PRB_VERDICT_AWAIT },
    { "owned by something else, too", OWNERS(OURS ", " DEPLOYMENT), "u-m",
            .wanted = PRB_VERDICT_DELETE },
    { "owned by a kind of the same name, too", OWNERS(OURS ", " NAMESAKE), "u-m",
            .wanted = PRB_VERDICT_DELETE },
    { "an owner that nobody can read", OWNERS(OURS ", " STRANGE), "u-m",
            .wanted = PRB_VERDICT_DELETE },

    { "not owned", "", "u-m", .wanted = PRB_VERDICT_LEAVE },
    { "not owned, no uid recorded", "", "", .wanted = PRB_VERDICT_LEAVE },
    { "not owned and going", DELETED, "u-m", .wanted = PRB_VERDICT_LEAVE },
    { "owned by another only", OWNERS(OTHER), "u-m", .wanted = PRB_VERDICT_LEAVE },
    { "owned by an earlier life only", OWNERS(EARLIER), "u-m", .wanted = PRB_VERDICT_LEAVE },

    { "shared", OWNERS(OURS ", " OTHER), "u-m", .wanted = PRB_VERDICT_DISOWN },
    { "shared with another hub's", OWNERS(OTHER_HUB ", " OURS), "u-m",
            .wanted = PRB_VERDICT_DISOWN },
    { "shared with one of an older version", OWNERS(OURS ", " OLD_VERSION), "u-m",
            .wanted = PRB_VERDICT_DISOWN },
    { "shared, and going", OWNERS(OURS ", " OTHER) DELETED, "u-m", .wanted = PRB_VERDICT_DISOWN },
    { "shared, and another object", OWNERS(OURS ", " OTHER), "u-old",
            .wanted = PRB_VERDICT_DISOWN },
    { "an earlier life is nobody to share with", OWNERS(OURS ", " EARLIER), "u-m",
            .wanted = PRB_VERDICT_DELETE },

    { "another object has the name, and our reference", OWNERS(OURS), "u-old",
            .wanted = PRB_VERDICT_LEAVE },
    { "the same, when our owner goes", OWNERS(OURS), "u-old", .disowns_others = true,
            .wanted = PRB_VERDICT_DISOWN },
    { "another object, not ours, when our owner goes", "", "u-old", .disowns_others = true,
            .wanted = PRB_VERDICT_LEAVE },
    { "another object, going", OWNERS(OURS) DELETED, "u-old", .wanted = PRB_VERDICT_LEAVE },

    { "it stays", OWNERS(OURS), "u-m", .stays = true, .wanted = PRB_VERDICT_DISOWN },
    { "it stays and was never ours", "", "u-m", .stays = true, .wanted = PRB_VERDICT_LEAVE },
    { "it stays, with others' references", OWNERS(OTHER ", " DEPLOYMENT), "u-m", .stays = true,
            .wanted = PRB_VERDICT_LEAVE },
    { "it stays, and is going", OWNERS(OURS) DELETED, "u-m", .stays = true,
            .wanted = PRB_VERDICT_DISOWN },
    { "it stays, and is another object", OWNERS(OURS), "u-old", .stays = true,
            .wanted = PRB_VERDICT_DISOWN },
    { "it stays, with a reference of an earlier life", OWNERS(EARLIER), "u-m", .stays = true,
            .wanted = PRB_VERDICT_DISOWN },
};

static void test_each_case_has_its_verdict(void)
{
    static const struct prb_owner owner = { .api_version = PRB_WORK_GROUP "/v1",
        .kind = "AppliedManifestWork",
        .name = "h1-w",
        .uid = "u-a" };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i];
        prb_autofree char *yaml = prb_asprintf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: "
                                               "{name: m, namespace: default, uid: u-m%s}\n",
                row->metadata);
        prb_auto(prb_world_free) struct prb_world *world = prb_world_new(yaml);
        prb_auto(prb_object_unref) struct prb_object *object =
                prb_store_get(prb_world_store(world, "configmaps.v1."), "default", "m");
        struct prb_removal_case question = { .live = object,
            .owner = &owner,
            .recorded_uid = row->uid,
            .stays = row->stays,
            .disowns_others = row->disowns_others };

        TEST_ASSERT_EQUAL_INT_MESSAGE(row->wanted, prb_removal_judge(&question), row->name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_case_has_its_verdict);
    return UNITY_END();
}
