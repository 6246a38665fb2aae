#ifndef TESTS_KUBE_PEM_H
#define TESTS_KUBE_PEM_H

/* A key and a certificate for it, signed by itself, as PEM (heap). Aborts when GnuTLS cannot. */
void prb_test_pem_pair(char **ret_cert, char **ret_key);

#endif
