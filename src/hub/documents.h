#ifndef PROBATE_HUB_DOCUMENTS_INTERNAL_H
#define PROBATE_HUB_DOCUMENTS_INTERNAL_H

/* Manifests as they are read from files: trees, and where each came from. */

#include <stddef.h>

#include "probate/base/json.h"

/* One file; far above any manifest, below what would be no manifest at all. */
#define PRB_HUB_FILE_MAX ((size_t)64 * 1024 * 1024)

/* Folders in folders; a link that leads back up ends here. */
#define PRB_HUB_FOLDERS_MAX 32

struct prb_hub_document {
    struct json_object *tree; /* owned; an object */
    char *place;              /* owned: "folder/file.yaml:3" or "line 3" */
};

struct prb_hub_documents {
    struct prb_hub_document *items; /* owned */
    size_t count;
    size_t cap;
};

void prb_hub_documents_done(struct prb_hub_documents *documents);
static inline void prb_hub_documents_donep(struct prb_hub_documents *documents)
{
    prb_hub_documents_done(documents);
}

/* Append what `text` holds, with lists taken apart; errors begin with the place. `file` NULL: the
 * text is from nowhere. `json`: it is to be JSON, else YAML. */
int prb_hub_documents_read(struct prb_hub_documents *documents, const char *file, const char *text,
        size_t len, bool json, struct prb_error *err);

/* Append every .yaml, .yml and .json below `dir`, sorted by path; names that begin with a dot are
 * passed over. */
int prb_hub_documents_read_dir(
        struct prb_hub_documents *documents, const char *dir, struct prb_error *err);

#endif
