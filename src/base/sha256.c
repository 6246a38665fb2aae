/* What is the SHA-256 of these bytes? FIPS 180-4, section 6.2, by the letter. */

#include "probate/base/sha256.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_SIZE 64

/* At the end of the last block: how many bits there were. */
#define LENGTH_SIZE 8

#define WORDS 8
#define ROUNDS 64

/* Section 4.2.2: the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = { 0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5,
    0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

static uint32_t rotate(uint32_t word, int by)
{
    return (word >> by) | (word << (32 - by));
}

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Section 6.2.2, step 1. */
static void schedule(const unsigned char *block, uint32_t w[ROUNDS])
{
    for (size_t t = 0; t < 16; t++)
        w[t] = big_endian(block + 4 * t);
    for (int t = 16; t < ROUNDS; t++) {
        uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ (w[t - 15] >> 3);
        uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ (w[t - 2] >> 10);

        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
}

/* Section 6.2.2, steps 2 to 4; `v` are the standard's a to h. */
static void digest_block(uint32_t hash[WORDS], const unsigned char *block)
{
    uint32_t w[ROUNDS], v[WORDS];

    schedule(block, w);
    memcpy(v, hash, sizeof(v));
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t t1 = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choice +
                      constants[t] + w[t];
        uint32_t t2 = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + majority;

        memmove(v + 1, v, (WORDS - 1) * sizeof(v[0]));
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < WORDS; i++)
        hash[i] += v[i];
}

/* What is left after the whole blocks, a one bit, zeros and the length: one block or two. */
static void digest_rest(
        uint32_t hash[WORDS], const unsigned char *rest, size_t left, uint64_t total)
{
    unsigned char last[2 * BLOCK_SIZE] = { 0 };
    size_t size = left + 1 + LENGTH_SIZE > BLOCK_SIZE ? 2 * BLOCK_SIZE : BLOCK_SIZE;

    if (left > 0)
        memcpy(last, rest, left);
    last[left] = 0x80;
    for (size_t i = 0; i < LENGTH_SIZE; i++)
        last[size - 1 - i] = (unsigned char)(total * 8 >> (8 * i));
    for (size_t at = 0; at < size; at += BLOCK_SIZE)
        digest_block(hash, last + at);
}

static void print_hex(const uint32_t hash[WORDS], char ret[PRB_SHA256_HEX_SIZE])
{
    static const char digits[] = "0123456789abcdef";

    for (int i = 0; i < WORDS * 8; i++)
        ret[i] = digits[hash[i / 8] >> (28 - 4 * (i % 8)) & 15];
    ret[PRB_SHA256_HEX_SIZE - 1] = '\0';
}

void prb_sha256_hex(const void *bytes, size_t size, char ret[PRB_SHA256_HEX_SIZE])
{
    /* Section 5.3.3: the fractional parts of the square roots of the first 8 primes. */
    uint32_t hash[WORDS] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
        0x1f83d9ab, 0x5be0cd19 };
    const unsigned char *at = bytes;
    size_t left = size;

    for (; left >= BLOCK_SIZE; left -= BLOCK_SIZE, at += BLOCK_SIZE)
        digest_block(hash, at);
    digest_rest(hash, at, left, size);
    print_hex(hash, ret);
}
