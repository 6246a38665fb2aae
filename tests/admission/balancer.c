/* Which server gets this connection? */

#include "balancer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/mem.h"

#include "https_client.h"
#include "support/wait.h"

#define BUFFER_SIZE 65536

struct balancer {
    int listener;
    int stop; /* eventfd */
    uint16_t port;
    pthread_t acceptor;

    pthread_mutex_t lock; /* all below */
    pthread_cond_t ended; /* a connection has */
    uint16_t backends[BALANCER_BACKENDS_MAX];
    unsigned turn;
    unsigned refused;
    unsigned running;
};

/* One connection: bytes go both ways until both are at their end. */
struct relay {
    struct balancer *balancer;
    int fds[2];
};

/* Connect to the next ready backend in turn; -1: there is none. One that was taken out has been
 * connected to for the last time, whatever this thread was about to do. */
static int dial_next(struct balancer *balancer)
{
    uint16_t port = 0;
    int fd;

    (void)pthread_mutex_lock(&balancer->lock);
    for (unsigned i = 0; port == 0 && i < BALANCER_BACKENDS_MAX; i++)
        port = balancer->backends[balancer->turn++ % BALANCER_BACKENDS_MAX];
    if (port == 0)
        balancer->refused++;
    fd = port ? https_dial(port) : -1;
    (void)pthread_mutex_unlock(&balancer->lock);
    return fd;
}

/* Pass on what one side has sent; false at its end. */
static bool pass_on(int from, int to)
{
    char buffer[BUFFER_SIZE];
    ssize_t got = recv(from, buffer, sizeof(buffer), 0), sent = 0;

    while (got > 0 && sent < got) {
        ssize_t some = send(to, buffer + sent, (size_t)(got - sent), MSG_NOSIGNAL);

        if (some < 0)
            return false;
        sent += some;
    }
    if (got == 0)
        (void)shutdown(to, SHUT_WR);
    return got > 0;
}

static void run_relay(struct relay *relay)
{
    struct pollfd fds[] = { { .fd = relay->fds[0], .events = POLLIN },
        { .fd = relay->fds[1], .events = POLLIN },
        { .fd = relay->balancer->stop, .events = POLLIN } };

    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        if (poll(fds, 3, -1) < 0 || fds[2].revents)
            return;
        for (int i = 0; i < 2; i++) {
            if (fds[i].revents && !pass_on(relay->fds[i], relay->fds[1 - i]))
                fds[i].fd = -1;
        }
    }
}

static void *relay(void *arg)
{
    struct relay *relay = arg;
    struct balancer *balancer = relay->balancer;

    run_relay(relay);
    (void)close(relay->fds[0]);
    (void)close(relay->fds[1]);
    free(relay);
    (void)pthread_mutex_lock(&balancer->lock);
    balancer->running--;
    (void)pthread_cond_signal(&balancer->ended);
    (void)pthread_mutex_unlock(&balancer->lock);
    return NULL;
}

static void start_relay(struct balancer *balancer, int client)
{
    struct relay *relay_arg = prb_calloc(1, sizeof(*relay_arg));
    pthread_t thread;
    int on = 1;

    relay_arg->balancer = balancer;
    relay_arg->fds[0] = client;
    relay_arg->fds[1] = dial_next(balancer);
    if (relay_arg->fds[1] < 0) {
        (void)close(client);
        free(relay_arg);
        return;
    }
    (void)setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    (void)pthread_mutex_lock(&balancer->lock);
    balancer->running++;
    (void)pthread_mutex_unlock(&balancer->lock);
    if (pthread_create(&thread, NULL, relay, relay_arg) != 0)
        abort();
    (void)pthread_detach(thread);
}

static void *accept_all(void *arg)
{
    struct balancer *balancer = arg;
    struct pollfd fds[] = { { .fd = balancer->listener, .events = POLLIN },
        { .fd = balancer->stop, .events = POLLIN } };

    while (poll(fds, 2, -1) > 0 && !fds[1].revents) {
        int client = accept4(balancer->listener, NULL, NULL, SOCK_CLOEXEC);

        if (client >= 0)
            start_relay(balancer, client);
    }
    return NULL;
}

struct balancer *balancer_start(void)
{
    struct balancer *balancer = prb_calloc(1, sizeof(*balancer));
    struct sockaddr_in address = { .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof(address);

    (void)pthread_mutex_init(&balancer->lock, NULL);
    (void)pthread_cond_init(&balancer->ended, NULL);
    balancer->stop = eventfd(0, EFD_CLOEXEC);
    balancer->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(balancer->listener, (struct sockaddr *)&address, size) != 0 ||
            listen(balancer->listener, 128) != 0 ||
            getsockname(balancer->listener, (struct sockaddr *)&address, &size) != 0 ||
            pthread_create(&balancer->acceptor, NULL, accept_all, balancer) != 0) {
        perror("balancer");
        abort();
    }
    balancer->port = ntohs(address.sin_port);
    return balancer;
}

void balancer_stop(struct balancer *balancer)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "the relays end");
    const uint64_t one = 1;

    if (write(balancer->stop, &one, sizeof(one)) < 0)
        abort();
    (void)pthread_join(balancer->acceptor, NULL);
    (void)pthread_mutex_lock(&balancer->lock);
    /* Each relay sees the stop as well. Were one left, it would use what is freed below. */
    while (balancer->running > 0) {
        (void)prb_test_saw("%u relays run", balancer->running);
        if (!prb_test_wait_cond(&wait, &balancer->ended, &balancer->lock))
            abort();
    }
    (void)pthread_mutex_unlock(&balancer->lock);
    (void)close(balancer->listener);
    (void)close(balancer->stop);
    (void)pthread_cond_destroy(&balancer->ended);
    (void)pthread_mutex_destroy(&balancer->lock);
    free(balancer);
}

uint16_t balancer_port(const struct balancer *balancer)
{
    return balancer->port;
}

void balancer_set(struct balancer *balancer, unsigned index, uint16_t port)
{
    (void)pthread_mutex_lock(&balancer->lock);
    balancer->backends[index] = port;
    (void)pthread_mutex_unlock(&balancer->lock);
}

unsigned balancer_refused(struct balancer *balancer)
{
    unsigned refused;

    (void)pthread_mutex_lock(&balancer->lock);
    refused = balancer->refused;
    (void)pthread_mutex_unlock(&balancer->lock);
    return refused;
}
