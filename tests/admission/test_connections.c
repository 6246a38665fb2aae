/* When is a connection shut, and which way? */

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connections.h"
#include "support/wait.h"
#include "unity.h"

#define NEVER_MS 3600000

/* One connection: the daemon's end is in the list, the client's is the test's. */
struct line {
    struct prb_connection connection;
    int daemon, client;
};

static struct prb_connections *connections;
static struct line lines[2];

static int listen_on_loopback(struct sockaddr_in *ret)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    socklen_t len = sizeof(*ret);

    *ret = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    TEST_ASSERT_EQUAL(0, bind(fd, (struct sockaddr *)ret, sizeof(*ret)));
    TEST_ASSERT_EQUAL(0, listen(fd, 1));
    TEST_ASSERT_EQUAL(0, getsockname(fd, (struct sockaddr *)ret, &len));
    return fd;
}

/* It has been answered once, and is idle for `idle_ms` at most. */
static void open_line(struct line *line, int64_t idle_ms)
{
    struct sockaddr_in address;
    int listener = listen_on_loopback(&address);

    *line = (struct line){ .client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
    TEST_ASSERT_EQUAL(0, connect(line->client, (struct sockaddr *)&address, sizeof(address)));
    line->daemon = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    TEST_ASSERT_GREATER_THAN(0, line->daemon);
    (void)close(listener);

    prb_connections_add(connections, &line->connection, line->daemon, PRB_PHASE_HEADERS);
    prb_connections_enter(connections, &line->connection, PRB_PHASE_ANSWER, NEVER_MS);
    prb_connections_enter(connections, &line->connection, PRB_PHASE_IDLE, idle_ms);
}

static void close_line(struct line *line)
{
    if (line->daemon <= 0)
        return;
    prb_connections_remove(connections, &line->connection);
    (void)close(line->daemon);
    (void)close(line->client);
    *line = (struct line){ .daemon = 0 };
}

void setUp(void)
{
    const struct prb_connection_limits limits = { .count = 2,
        .stale_ms = NEVER_MS,
        .first_ms = NEVER_MS,
        .request_ms = NEVER_MS,
        .idle_ms = NEVER_MS };
    struct prb_error err;

    TEST_ASSERT_EQUAL(0, prb_connections_new(&limits, &connections, &err));
}

void tearDown(void)
{
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        close_line(&lines[i]);
    prb_connections_free(connections);
}

static bool has_hung_up(int fd)
{
    struct pollfd poller = { .fd = fd, .events = POLLRDHUP };

    return poll(&poller, 1, 0) == 1 && (poller.revents & (POLLRDHUP | POLLHUP | POLLERR));
}

/* The daemon is told that nothing more comes; what has come is still there for it. */
static bool is_shut_for_reading(void *ctx)
{
    const struct line *line = ctx;

    return has_hung_up(line->daemon);
}

static bool is_shut(void *ctx)
{
    const struct line *line = ctx;

    return has_hung_up(line->client);
}

static void drip(const struct line *line)
{
    TEST_ASSERT_EQUAL(1, send(line->client, "G", 1, MSG_NOSIGNAL));
}

/* A request that begins after the connection was shut for reading; it may take for ever. False: it
 * came too late. */
static bool begin_in_time(struct line *line)
{
    close_line(line);
    open_line(line, NEVER_MS);
    drip(line);
    prb_connections_enter(connections, &line->connection, PRB_PHASE_IDLE, 0);
    TEST_ASSERT_AWAIT("the connection is shut for reading", is_shut_for_reading, line);
    prb_connections_enter(connections, &line->connection, PRB_PHASE_WORK, NEVER_MS);
    return !is_shut(line);
}

static void begin(struct line *line)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_PROMPT_MS, "a request begins before its line is shut");
    bool began = begin_in_time(line);

    while (!began && prb_test_wait_in_time(&wait))
        began = begin_in_time(line);
    TEST_ASSERT_TRUE_MESSAGE(began, prb_test_awaited());
}

static void test_what_an_idle_connection_has_sent_can_still_be_read_and_answered(void)
{
    char byte = 0;

    begin(&lines[0]);
    TEST_ASSERT_EQUAL(1, recv(lines[0].daemon, &byte, 1, 0));
    TEST_ASSERT_EQUAL('G', byte);
    TEST_ASSERT_EQUAL(1, send(lines[0].daemon, "A", 1, MSG_NOSIGNAL));
    TEST_ASSERT_EQUAL(1, recv(lines[0].client, &byte, 1, 0));
    TEST_ASSERT_EQUAL('A', byte);
}

/* The kernel goes on delivering what a client sends after its peer was shut for reading, so the
 * daemon may never see the end. */
static void test_a_client_that_goes_on_sending_is_shut_all_the_same(void)
{
    open_line(&lines[0], 0);
    drip(&lines[0]);
    TEST_ASSERT_AWAIT("the connection is shut", is_shut, &lines[0]);
}

static void test_so_is_one_that_was_to_make_room(void)
{
    open_line(&lines[0], NEVER_MS);
    drip(&lines[0]);
    prb_connections_make_room(connections);
    TEST_ASSERT_AWAIT("the connection is shut", is_shut, &lines[0]);
}

/* The second line is shut when the first would be, if its request did not count. */
static void test_a_request_that_came_in_time_has_its_own_time(void)
{
    begin(&lines[0]);
    open_line(&lines[1], 0);
    TEST_ASSERT_AWAIT("the idle connection is shut", is_shut, &lines[1]);
    TEST_ASSERT_FALSE(is_shut(&lines[0]));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_an_idle_connection_has_sent_can_still_be_read_and_answered);
    RUN_TEST(test_a_client_that_goes_on_sending_is_shut_all_the_same);
    RUN_TEST(test_so_is_one_that_was_to_make_room);
    RUN_TEST(test_a_request_that_came_in_time_has_its_own_time);
    return UNITY_END();
}
