/* What does "$" stand for in a step? */

#include "step_fill.h"

#include <stdlib.h>

#include "probate/base/mem.h"

/* Manifests of a step, completed. */
#define TEXT_MAX ((size_t)64 * 1024)

static char *fill(const char *text, const char *answer)
{
    prb_auto(prb_str_done) struct prb_str out;

    prb_str_init(&out, TEXT_MAX);
    for (; *text; text++) {
        if (*text == '$')
            prb_str_add(&out, answer);
        else
            prb_str_addc(&out, *text);
    }
    return prb_str_take(&out);
}

void filled_step_init(struct filled_step *filled, const struct step *step,
        const struct kubectl *kubectl, const char *name)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };
    const char **texts[STEP_TEXTS] = { &filled->step.run, &filled->step.input };

    *filled = (struct filled_step){ .step = *step };
    if (!step->with)
        return;
    kubectl_run(kubectl, name, step->with, NULL, &answer);
    answer.text[strcspn(answer.text, "\n")] = '\0';
    for (size_t i = 0; i < STEP_SAYS_MAX; i++)
        texts[2 + i] = &filled->step.says[i];
    for (size_t i = 0; i < STEP_TEXTS; i++) {
        if (*texts[i])
            *texts[i] = filled->texts[i] = fill(*texts[i], answer.text);
    }
}

void filled_step_done(struct filled_step *filled)
{
    for (size_t i = 0; i < STEP_TEXTS; i++)
        free(prb_take(filled->texts[i]));
}
