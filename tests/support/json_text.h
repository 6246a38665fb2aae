#ifndef TESTS_SUPPORT_JSON_TEXT_H
#define TESTS_SUPPORT_JSON_TEXT_H

/* JSON as tests like to write it. */

#include "probate/base/json.h"

/*
 * A tree from a printf format in which ' stands for ": {'metadata':{'name':'%s'}}. Arguments are
 * inserted as they are. Aborts on what is no JSON: that is a mistake in the test.
 */
__attribute__((format(printf, 1, 2))) struct json_object *prb_test_json(const char *fmt, ...);

#endif
