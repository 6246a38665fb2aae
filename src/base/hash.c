/*
 * Which slot does a string belong to? SipHash-1-3 with a key drawn at start: names of objects come
 * from users, and with a fixed hash they could choose thousands that collide.
 */

#include "hash.h"

#include <pthread.h>
#include <string.h>

#include "probate/base/random.h"

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static uint64_t key[2];

static void draw_key(void)
{
    key[0] = prb_random_u64();
    key[1] = prb_random_u64();
}

static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

static void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[0] = rotate(v[0], 32);
    v[2] += v[3];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[2] = rotate(v[2], 32);
}

static void absorb(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

uint64_t prb_hash_string(const char *text)
{
    size_t len = strlen(text), at = 0;
    uint64_t word, v[4];

    (void)pthread_once(&key_once, draw_key);
    v[0] = key[0] ^ UINT64_C(0x736f6d6570736575);
    v[1] = key[1] ^ UINT64_C(0x646f72616e646f6d);
    v[2] = key[0] ^ UINT64_C(0x6c7967656e657261);
    v[3] = key[1] ^ UINT64_C(0x7465646279746573);

    for (; at + sizeof(word) <= len; at += sizeof(word)) {
        memcpy(&word, text + at, sizeof(word));
        absorb(v, word);
    }
    word = 0;
    memcpy(&word, text + at, len - at);
    absorb(v, word | (uint64_t)len << 56);

    v[2] ^= 0xFF;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
