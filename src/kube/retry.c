/* May a failed call be made again, and when? */

#include "retry.h"

#include "probate/api/options.h"

#include "status.h"

int64_t prb_kube_retry_wait(
        struct prb_kube_tries *tries, const struct prb_kube_answer *answer, enum prb_errc code)
{
    bool deferred = answer->status == 429 || answer->status == 503;

    if (deferred && answer->retry_after_ms > 0 && ++tries->defer < PRB_KUBE_DEFER_TRIES)
        return answer->retry_after_ms;
    if (code == PRB_E_IO && !answer->sent && !answer->hopeless &&
            ++tries->connect < PRB_KUBE_CONNECT_TRIES)
        return (int64_t)PRB_KUBE_CONNECT_PAUSE_MS << (tries->connect - 1);
    return -1;
}

static int judge(struct prb_kube_answer *answer, struct prb_error *err)
{
    int r;

    if (answer->status >= 200 && answer->status < 300)
        return 0;
    r = prb_kube_fail_answer(answer->status, answer->retry_after_ms, prb_str_get(&answer->body),
            answer->body.len, err);
    answer->retry_after_ms = err->retry_after_ms; /* the Status may say so where no header did */
    return r;
}

static bool has_newer_token(const struct prb_kube_rest *rest, struct prb_kube_tries *tries,
        const struct prb_kube_answer *answer)
{
    if (answer->status != 401 || tries->token)
        return false;
    tries->token = true;
    return prb_kube_auth_refresh(rest->endpoint->auth, prb_kube_now_ms(), answer->generation);
}

int prb_kube_ask(const struct prb_kube_rest *rest, const struct prb_kube_request *request,
        struct prb_kube_answer *answer, struct prb_error *err)
{
    int timeout_ms = request->timeout_ms > 0 ? request->timeout_ms : PRB_API_TIMEOUT_MS;
    int64_t deadline_ms = prb_kube_now_ms() + timeout_ms;
    struct prb_kube_tries tries = { .connect = 0 };

    for (;;) {
        int64_t wait_ms, now_ms;
        int r = prb_kube_try(rest, request, deadline_ms, answer, err);

        if (r == 0)
            r = judge(answer, err);
        if (r == 0)
            return 0;
        if (has_newer_token(rest, &tries, answer))
            continue;

        wait_ms = prb_kube_retry_wait(&tries, answer, (enum prb_errc)r);
        now_ms = prb_kube_now_ms();
        if (wait_ms < 0 || wait_ms >= deadline_ms - now_ms)
            return r;
        if (prb_kube_channels_sleep(rest->channels, now_ms + wait_ms, err) < 0)
            return err->code;
    }
}
