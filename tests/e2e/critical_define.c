/* What is there before the rows begin, and who may do what? */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "bench_internal.h"
#include "critical.h"

const char critical_criteria[] =
        "coolresources.my.crd.group,gadgets.gone.example.dev,things.design.example.dev,"
        "widgets.late.example.dev,ghosts.dead.example.dev,lamps.unserved.example.dev,"
        "beams.many.example.dev,configmaps,"
        "customresourcedefinitions.apiextensions.k8s.io";

static const char kinds[] = CRD_OF("my.crd.group", "coolresources",
        CRD_NAMES("coolresources", "coolresource", "CoolResource", "cool"))
        CRD_OF("gone.example.dev", "gadgets", CRD_NAMES("gadgets", "gadget", "Gadget", "gad"))
                CRD_OF("design.example.dev", "things", CRD_NAMES("things", "thing", "Thing", "thg"))
                        CRD_OF("unserved.example.dev", "lamps",
                                CRD_NAMES("lamps", "lamp", "Lamp", "lmp"))
                                CRD_OF("many.example.dev", "beams",
                                        CRD_NAMES("beams", "beam", "Beam", "bm"));

/* Versions of a kind in the same group as beams, all of which come before theirs. */
#define CROWD 200

/* What is dangerous about it is its kind: but for its case it is the plural of another. */
static char *crowd(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, (size_t)64 * 1024);
    for (int i = 0; i < CROWD; i++)
        prb_str_addf(&text,
                "%s{'name':'v%d','served':true,'storage':%s,'schema':{'openAPIV3Schema':"
                "{'type':'object'}}}",
                i ? "," : "", i + 10, i ? "false" : "true");
    return prb_asprintf(OBJECT("apiextensions.k8s.io/v1", "CustomResourceDefinition",
                                "'name':'crowds.many.example.dev'",
                                ",'spec':{'group':'many.example.dev','scope':'Namespaced',"
                                "'names':{'plural':'crowds','singular':'crowd','kind':'Beams'},"
                                "'versions':[%s]}"),
            prb_str_get(&text));
}

#define RULE_OF(group, resources, verbs) \
    "{'apiGroups':['" group "'],'resources':[" resources "],'verbs':[" verbs "]}"
#define USUAL "'get','list','watch','create','update','patch','delete'"

#define MAY(user, rules)                                                                    \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRole", "'name':'e2e-" user "'",          \
            ",'rules':[" rules "]")                                                         \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "'name':'e2e-" user "'",   \
            ",'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':"                    \
            "'ClusterRole','name':'e2e-" user "'},'subjects':[{'kind':'User','name':'" user \
            "','apiGroup':'rbac.authorization.k8s.io'}]")

#define SERVICES RULE_OF("probate.dev", "'criticalservices'", USUAL)
#define PROVIDERS RULE_OF("apps", "'deployments'", USUAL) "," RULE_OF("", "'namespaces'", USUAL)
#define GLASS RULE_OF("probate.dev", "'criticalservices'", "'override'")

/* Three users: one with all usual rights, one who may break the glass too, and one who may write
 * CriticalServices, but may not delete what they guard. */
static const char people[] = MAY("worker", SERVICES "," PROVIDERS)
        MAY("keeper", SERVICES "," PROVIDERS "," GLASS) MAY("outsider", SERVICES);

bool critical_define(struct bench *bench)
{
    prb_autofree char *command = prb_asprintf("apply --validate=false -f %s", bench->crds);
    prb_autofree char *many = crowd();

    return bench_kubectl(bench, command, NULL) && bench_kubectl(bench, "create", kinds) &&
           bench_kubectl(bench, "create", many) &&
           bench_kubectl(bench, "wait --for=condition=Established --timeout=60s crd --all", NULL) &&
           bench_kubectl(bench, "create", NAMESPACE_OF(DATA)) &&
           bench_kubectl(bench, "create", people);
}
