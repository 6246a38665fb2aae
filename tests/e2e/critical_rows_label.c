/* Can the label be stripped that the protection hangs on? */

#include "critical.h"

#define LABEL_NAME "probate.dev/protected"
#define PROTECTED_LABEL LABELS("'" LABEL_NAME "':'true'")

#define MERGE " --type=merge -p {'metadata':{'labels':{'" LABEL_NAME "':null}}}"
#define JSON " --type=json -p [{'op':'remove','path':'/metadata/labels/probate.dev~1protected'}]"
#define ALL " --type=json -p [{'op':'remove','path':'/metadata/labels'}]"

/* Nobody types: $KUBE_EDITOR takes the line out. */
#define EDIT(object) "edit " object

#define BARE_NAMESPACE \
    OBJECT("v1", "Namespace", "'name':'@'", ",'spec':{'finalizers':['kubernetes']}")

#define MARKED_NAMESPACE                                     \
    OBJECT("v1", "Namespace", "'name':'@'," PROTECTED_LABEL, \
            ",'spec':{'finalizers':['kubernetes']}")

/* It is refused, and the label is where it was. */
#define STRIPPED(command, input) \
    REFUSED(403, command, input, "must keep its label " LABEL_NAME, "CriticalService @", DATA "/@")
#define STILL_ON(object) SHOWS("get " object " -o jsonpath={.metadata.labels}", LABEL_NAME)

static const struct row rows[] = {
    ROW("kubectl_label_does_not_strip_a_namespace", GUARDED | SANITIZED, A_SERVICE, IT_IS_PROTECTED,
            STRIPPED("label namespace @ " LABEL_NAME "-" CLUSTER_WIDE, NULL),
            STILL_ON("namespace @" CLUSTER_WIDE)),
    ROW("kubectl_patch_does_not_strip_a_namespace", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            STRIPPED("patch namespace @" MERGE CLUSTER_WIDE, NULL),
            STRIPPED("patch namespace @" JSON CLUSTER_WIDE, NULL),
            STRIPPED("patch namespace @" ALL CLUSTER_WIDE, NULL),
            STRIPPED("patch namespace @ -p {'metadata':{'labels':{'" LABEL_NAME
                     "':null}}}" CLUSTER_WIDE,
                    NULL),
            STILL_ON("namespace @" CLUSTER_WIDE)),
    ROW("kubectl_edit_does_not_strip_a_namespace", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            STRIPPED(EDIT("namespace @" CLUSTER_WIDE), NULL), STILL_ON("namespace @" CLUSTER_WIDE)),
    /* The denial says what to add to the manifest. */
    ROW("kubectl_replace_does_not_strip_a_namespace", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            STRIPPED("replace", BARE_NAMESPACE),
            REFUSED(403, "replace", BARE_NAMESPACE,
                    "Add the label " LABEL_NAME ": 'true' to the manifest of the Namespace"),
            STILL_ON("namespace @" CLUSTER_WIDE), SEND("replace", MARKED_NAMESPACE),
            STILL_ON("namespace @" CLUSTER_WIDE)),
    ROW("kubectl_apply_does_not_strip_a_namespace", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            { .run = "apply", .input = MARKED_NAMESPACE, .warns = 1 },
            STRIPPED("apply", BARE_NAMESPACE), STILL_ON("namespace @" CLUSTER_WIDE)),
    /* Probate holds the label too, so it stays when another lets it go. */
    ROW("server_side_apply_does_not_strip_a_namespace", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            SEND("apply --server-side --force-conflicts", MARKED_NAMESPACE),
            SEND("apply --server-side", BARE_NAMESPACE), STILL_ON("namespace @" CLUSTER_WIDE),
            REFUSED(403, DELETE_NAMESPACE, NULL, DATA "/@")),
    /* What a Deployment is labelled with is nobody's concern. */
    ROW("kubectl_replace_of_a_provider_passes_whatever_its_labels", GUARDED | SANITIZED, A_SERVICE,
            IT_IS_PROTECTED, DO("label deployment provider a=b " LABEL_NAME "=true"),
            SEND("replace", DEPLOYMENT_WITH("'name':'provider'," LABELS("'c':'d'"))),
            { .run = "get deployment provider -o jsonpath={.metadata.labels}",
                    .lacks = LABEL_NAME },
            REFUSED(403, DELETE_PROVIDER, NULL, DATA "/@")),
    ROW("a_label_of_an_older_probate_stays_on_a_deployment", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            DO("label deployment provider " LABEL_NAME "=true"), DO(LET_GO("@")),
            DO("label deployment provider " LABEL_NAME "-"), DO(DELETE_PROVIDER)),
    ROW("the_status_of_a_namespace_does_not_strip_it", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            STRIPPED("patch namespace @ --subresource=status" MERGE CLUSTER_WIDE, NULL),
            STRIPPED("patch namespace @ --subresource=status" JSON CLUSTER_WIDE, NULL),
            STILL_ON("namespace @" CLUSTER_WIDE)),
    ROW("finalizing_a_namespace_does_not_strip_it", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            STRIPPED("replace --raw /api/v1/namespaces/@/finalize", BARE_NAMESPACE),
            STILL_ON("namespace @" CLUSTER_WIDE)),
    ROW("all_else_about_a_provider_may_change", GUARDED, A_SERVICE, IT_IS_PROTECTED,
            DO("scale deployment provider --replicas=1"),
            DO("set image deployment/provider c=other"), DO("annotate deployment provider a=b"),
            DO("label deployment provider a=b"), DO("label namespace @ a=b" CLUSTER_WIDE),
            DO("label namespace @ " LABEL_NAME "=yes --overwrite" CLUSTER_WIDE),
            DO("patch namespace @ --subresource=status --type=merge -p "
               "{'metadata':{'labels':{'c':'d'}}}" CLUSTER_WIDE)),
    ROW("once_the_criteria_hold_the_label_may_go_and_comes_again", GUARDED, A_SERVICE,
            IT_IS_PROTECTED, DO(LET_GO("@")), DO("label namespace @ " LABEL_NAME "-" CLUSTER_WIDE),
            UNTIL("get namespace @ -o jsonpath={.metadata.labels}" CLUSTER_WIDE, LABEL_NAME)),
    ROW("a_label_that_nobody_needs_is_taken_off", GUARDED,
            NAMESPACE DEPLOYMENT_WITH("'name':'free'," PROTECTED_LABEL),
            DO("label namespace @ " LABEL_NAME "=true" CLUSTER_WIDE),
            { .run = "get namespace @ -o jsonpath={.metadata.labels}" CLUSTER_WIDE,
                    .lacks = LABEL_NAME,
                    .until = true },
            DO("delete deployment free")),
    ROW("who_forges_the_label_is_not_held_by_it", GUARDED, NAMESPACE,
            DO("label namespace @ " LABEL_NAME "=true" CLUSTER_WIDE), CREATED(DEPLOYMENT("free")),
            DO("delete deployment free"), DO(DELETE_NAMESPACE)),
};

const struct rows critical_rows_label = { rows, sizeof(rows) / sizeof(rows[0]) };
