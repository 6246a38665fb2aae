/* How does a test speak HTTP, well or badly? */

#include "http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* Above the longest answer of any server of ours. */
#define ANSWER_MAX ((size_t)64 * 1024 * 1024)

int dial(uint16_t port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0)
        perror("connect");
    return fd;
}

bool readable(int fd, int ms)
{
    struct pollfd poller = { .fd = fd, .events = POLLIN };

    return poll(&poller, 1, ms) == 1;
}

bool await_readable(int fd)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "the server answers, or closes the connection");

    while (!readable(fd, prb_test_wait_left_ms(&wait))) {
        if (!prb_test_wait_in_time(&wait))
            return false;
    }
    return true;
}

void say(int fd, const char *text)
{
    (void)send(fd, text, strlen(text), MSG_NOSIGNAL);
}

char *read_all(int fd)
{
    struct prb_str text;
    char chunk[65536];

    prb_str_init(&text, ANSWER_MAX);
    while (await_readable(fd)) {
        ssize_t got = read(fd, chunk, sizeof(chunk));

        if (got <= 0)
            break;
        prb_str_addn(&text, chunk, (size_t)got);
    }
    return prb_str_take(&text);
}

char *ask_port(uint16_t port, const char *method, const char *target, const char *headers)
{
    prb_autofree char *request = prb_asprintf(
            "%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n", method, target, headers);
    int fd = dial(port);
    char *answer;

    say(fd, request);
    answer = read_all(fd);
    (void)close(fd);
    return answer;
}

const char *body_of(const char *answer)
{
    const char *gap = answer ? strstr(answer, "\r\n\r\n") : NULL;

    return gap ? gap + 4 : "(no body)";
}

bool has_text(const char *text, const char *part)
{
    return text && strstr(text, part);
}

bool has_status(const char *answer, int status)
{
    char line[32];

    (void)snprintf(line, sizeof(line), "HTTP/1.1 %d ", status);
    return answer && prb_starts_with(answer, line);
}
