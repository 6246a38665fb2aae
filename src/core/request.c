/* What does a decision know of the request it judges? */

#include "probate/core/request.h"

#include <stdlib.h>

void prb_request_free(struct prb_request *request)
{
    if (!request)
        return;
    free(request->uid);
    free(request->kind);
    free(request->subresource);
    free(request->name);
    free(request->namespace);
    free(request->only);
    prb_subject_unref(request->subject);
    prb_object_unref(request->object);
    prb_object_unref(request->old);
    free(request);
}

const char *prb_operation_name(enum prb_operation operation)
{
    switch (operation) {
    case PRB_CREATE:
        return "CREATE";
    case PRB_UPDATE:
        return "UPDATE";
    case PRB_DELETE:
        return "DELETE";
    case PRB_CONNECT:
        return "CONNECT";
    }
    return "";
}

bool prb_request_is_deleting(const struct prb_request *request)
{
    return request->old && prb_object_is_deleting(request->old);
}
