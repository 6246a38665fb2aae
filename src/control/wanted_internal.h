#ifndef SRC_CONTROL_WANTED_INTERNAL_H
#define SRC_CONTROL_WANTED_INTERNAL_H

/* What is wanted, found and read, as the wanted*.c files share it. */

#include <pthread.h>

#include "probate/base/map.h"
#include "probate/control/queue.h"

#include "wanted.h"

/* Two, so that a group whose server hangs does not hold up all others. */
#define PRB_WANTED_THREADS 2

/* Keys: "wants", "name GROUP/NAME" in lower case, "collection GVR". */
#define PRB_WANTED_KEY_WANTS "wants"
#define PRB_WANTED_KEY_NAME "name "
#define PRB_WANTED_KEY_COLLECTION "collection "
#define PRB_WANTED_KEY_SIZE (PRB_GVR_TEXT_SIZE + 16)

/* One name that somebody wants. */
struct prb_want {
    struct prb_known_resource found; /* what discovery said last */
    struct prb_known_resource known; /* what was published */
    bool whole;                      /* with the bodies */
    bool beyond;                     /* one too many: not looked for */
    bool fresh;                      /* something says that discovery may be out of date */
};

/* One collection that is read because of them. */
struct prb_followed {
    struct prb_gvr gvr;
    struct prb_informer *informer; /* joined by us, or the owner's */
    bool own;                      /* joined by us */
    bool whole;                    /* with the bodies */
    struct prb_store *store;       /* a reference */
    bool needed;                   /* while those that are not are sorted out */
    bool read;                     /* it was told that it is */
    bool not_served;
    bool forbidden;
    int64_t troubled_ms; /* monotonic: since when it has been in trouble; 0: it is not */
    char trouble[sizeof(((struct prb_known_resource *)0)->trouble)]; /* "" */
};

struct prb_wanted {
    struct prb_api *api;           /* borrowed */
    const struct prb_clock *clock; /* borrowed */
    struct prb_wanted_owner owner;
    struct prb_queue *queue; /* owned */

    pthread_mutex_t lock; /* for all below; held neither during calls nor with a view open */
    bool active;
    struct prb_map *wants;          /* owned: key to struct prb_want */
    size_t sought;                  /* of them, those that are not beyond */
    bool more;                      /* others are wanted that are not among them */
    struct prb_map *followed;       /* owned: key to struct prb_followed */
    struct prb_wanted_sight *sight; /* a reference; NULL: nothing is known */
    bool outdated;                  /* it does not show all of the above */

    /* Made by the first start, and gone only with all the rest. */
    struct prb_informers *set; /* owned */
    pthread_t threads[PRB_WANTED_THREADS];
    size_t thread_count;
};

/* What the owner has to be told of, once the lock is released. */
struct prb_wanted_news {
    struct prb_gvr *gvrs; /* owned */
    size_t count;
    bool not_found; /* something that has no gvr */
};
void prb_wanted_news_add(struct prb_wanted_news *news, const struct prb_gvr *gvr); /* or NULL */

/* No lock held. Frees what is in it. */
void prb_wanted_news_tell(const struct prb_wanted *wanted, struct prb_wanted_news *news);

void prb_wanted_key_of_name(const char *group, const char *name, char key[PRB_WANTED_KEY_SIZE]);
void prb_wanted_key_of_gvr(const struct prb_gvr *gvr, char key[PRB_WANTED_KEY_SIZE]);

/* The three things to do. No lock held. */
void prb_wanted_collect(struct prb_wanted *wanted);
void prb_wanted_resolve(struct prb_wanted *wanted, const char *key);
void prb_wanted_check(struct prb_wanted *wanted, const char *key);

/* The lock is held in all below. */

/* Read what was found, and nothing else. */
void prb_wanted_follow(struct prb_wanted *wanted);

/* Ask for every name that led to this collection again, now and past what discovery remembers. */
void prb_wanted_ask_again(struct prb_wanted *wanted, const struct prb_gvr *gvr);

/* The collection that a name led to; NULL: none. */
struct prb_followed *prb_wanted_find_followed(
        const struct prb_wanted *wanted, const struct prb_want *want);

/* Let decisions see what is known by now; what differs from before is news. */
void prb_wanted_publish(struct prb_wanted *wanted, struct prb_wanted_news *news);

/* As the free function of the map. */
void prb_followed_free(void *value);

#endif
