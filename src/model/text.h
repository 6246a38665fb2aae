#ifndef PROBATE_MODEL_TEXT_INTERNAL_H
#define PROBATE_MODEL_TEXT_INTERNAL_H

/* A getter that says "" instead of NULL spares every caller a check. */
static inline const char *or_empty(const char *text)
{
    return text ? text : "";
}

#endif
