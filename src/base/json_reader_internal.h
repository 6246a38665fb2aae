#ifndef PROBATE_BASE_JSON_READER_INTERNAL_H
#define PROBATE_BASE_JSON_READER_INTERNAL_H

/* What the files of the JSON reader share among themselves. */

#include <stdint.h>

#include "probate/base/json_reader.h"

#include "json_internal.h"

/* Where something is in the text, for people. */
struct prb_json_place {
    uint32_t line, column; /* from 1; characters, not bytes: what an editor shows */
};

/* What may come next; the last three are inside of a token. */
enum prb_json_state {
    PRB_JSON_VALUE,         /* a value */
    PRB_JSON_FIRST_ELEMENT, /* a value or ']' */
    PRB_JSON_FIRST_NAME,    /* a member name or '}' */
    PRB_JSON_NAME,          /* a member name */
    PRB_JSON_COLON,
    PRB_JSON_AFTER, /* ',' or the end of the container; at the end of the text: nothing */
    PRB_JSON_IN_STRING,
    PRB_JSON_IN_NUMBER,
    PRB_JSON_IN_WORD,
};

/* Where in a string the last piece ended. */
enum prb_json_string_state {
    PRB_JSON_STRING_PLAIN,
    PRB_JSON_STRING_UTF8,      /* inside a character of several bytes */
    PRB_JSON_STRING_ESCAPE,    /* behind a backslash */
    PRB_JSON_STRING_HEX,       /* behind \u */
    PRB_JSON_STRING_LOW_SLASH, /* the second half of a surrogate pair has to follow */
    PRB_JSON_STRING_LOW_U,
};

enum prb_json_number_state {
    PRB_JSON_NUMBER_MINUS, /* behind the sign */
    PRB_JSON_NUMBER_ZERO,  /* behind a zero at the beginning */
    PRB_JSON_NUMBER_WHOLE,
    PRB_JSON_NUMBER_POINT, /* behind the point */
    PRB_JSON_NUMBER_FRACTION,
    PRB_JSON_NUMBER_E, /* behind 'e' */
    PRB_JSON_NUMBER_SIGN,
    PRB_JSON_NUMBER_EXPONENT,
};

/* A member or an element that waits for its container to close, whose size is known then. */
struct prb_json_pending {
    struct json_object *value; /* owned */
    size_t name;               /* of a member: where it begins in `names`; NUL-terminated there */
    size_t name_len;
    struct prb_json_place place; /* of a member: where it begins */
};

/* A container that is being built. */
struct prb_json_frame {
    const struct prb_json_filter *filter; /* borrowed; NULL: all is taken */
    size_t base;                          /* what is pending from here on is in it */
    size_t name_max;                      /* bytes of the longest name that can be taken */
    bool holds_items;                     /* an array of items */
    bool is_item;
};

struct prb_json_reader {
    struct prb_json_reader_options options;
    enum prb_json_state state;

    /* where we are */
    const char *piece;           /* borrowed while it is read */
    uint64_t before;             /* bytes of the text before this piece */
    uint64_t line_start;         /* where the line begins, in bytes of the text */
    uint64_t inner;              /* bytes of this line that do not begin a character */
    uint32_t line;               /* from 1 */
    struct prb_json_place token; /* where the token began that is being read */
    struct prb_json_place place; /* ... the escape or the character in it */

    /* what is open */
    unsigned depth;                                      /* containers */
    uint8_t is_array[(PRB_JSON_STEP_DEPTH_MAX + 7) / 8]; /* a bit for each of them */

    /* the token that is being read */
    struct prb_str text; /* as much of it as is kept */
    size_t text_max;     /* bytes of it that are kept; 0: it is only checked */
    bool is_name;
    enum prb_json_string_state string;
    unsigned left;       /* bytes or hex digits that have to follow */
    uint8_t low, high;   /* bounds of the next byte of a character */
    uint32_t unit, lead; /* of \uXXXX; and the first half of a pair, or 0 */
    enum prb_json_number_state number;
    const char *word; /* static: what has to follow */
    char word_first;  /* which word it is */

    /* what is built: json_tree.c */
    struct prb_json_frame *frames; /* owned; those of the outermost `frame_count` containers */
    size_t frame_count, frame_cap;
    struct prb_json_pending *pending; /* owned */
    size_t pending_count, pending_cap;
    struct prb_str names;               /* of what is pending */
    const struct prb_json_filter *next; /* of the value that comes next */
    bool next_is_items;                 /* ... its filter entry says so */
    size_t item;   /* the frame of the item that is being read, counted from 1; 0: none */
    size_t member; /* ... of its member that is being read: which is pending, from 1; 0: none */
    size_t built;  /* bytes */
    size_t member_built;      /* ... when that member began */
    struct json_object *root; /* owned */

    enum prb_errc failed; /* PRB_OK: not */
    const char *why;      /* static */
};

/* The filter that takes nothing; NULL takes all. */
extern const struct prb_json_filter prb_json_take_none[];

/* Is the innermost container an array? There is one. */
static inline bool prb_json_in_array(const struct prb_json_reader *reader)
{
    unsigned level = reader->depth - 1;

    return reader->is_array[level / 8] >> (level % 8) & 1;
}

/* Where `at`, in this piece, is in the text. */
struct prb_json_place prb_json_place_of(const struct prb_json_reader *reader, const char *at);

/* The text is refused: remember why. Returns INVALID. */
int prb_json_refuse(struct prb_json_reader *reader, struct prb_json_place place, const char *why);

/* json_string.c: go on in a string; *at is behind what was read. `done` when it has ended. */
void prb_json_string_begin(struct prb_json_reader *reader, size_t keep_max);
int prb_json_string_step(
        struct prb_json_reader *reader, const char **at, const char *end, bool *done);
int prb_json_string_unfinished(struct prb_json_reader *reader); /* the text ends inside it */

/* json_number.c: the same for a number, whose first byte is at *at when it begins. */
void prb_json_number_begin(struct prb_json_reader *reader, char first);
int prb_json_number_step(
        struct prb_json_reader *reader, const char **at, const char *end, bool *done);
int prb_json_number_unfinished(struct prb_json_reader *reader); /* 0: it may end here */

/* The number that reader->text spells; NULL when it is too large. */
struct json_object *prb_json_number_value(const struct prb_json_reader *reader);

/* json_tree.c: what is taken. Each returns 0 or a failure that was remembered. */
void prb_json_tree_init(struct prb_json_reader *reader);
void prb_json_tree_done(struct prb_json_reader *reader);
int prb_json_tree_open(struct prb_json_reader *reader, struct prb_json_place place, bool array);
int prb_json_tree_close(struct prb_json_reader *reader, bool array);
size_t prb_json_tree_name_max(const struct prb_json_reader *reader);
void prb_json_tree_element(struct prb_json_reader *reader); /* an element comes next */
int prb_json_tree_name(struct prb_json_reader *reader);     /* reader->text is a member name */
int prb_json_tree_value(struct prb_json_reader *reader, struct json_object *value_taken);
bool prb_json_tree_takes(const struct prb_json_reader *reader); /* the next value? */

/* Room for a scalar, if it is taken: ask prb_json_tree_takes again afterwards. */
int prb_json_tree_room(struct prb_json_reader *reader);

/* So much more is built, or will be; UNSUPPORTED past the limit. */
int prb_json_tree_charge(struct prb_json_reader *reader, size_t bytes);

/* Something cannot be built: the member of the item goes, or else the text is refused. */
int prb_json_tree_defect(struct prb_json_reader *reader, enum prb_errc code,
        struct prb_json_place place, const char *why);

#endif
