/* Where the program begins. */

#include <unistd.h>

#include "probate/cli/verb.h"

int main(int argc, char **argv)
{
    (void)argc;
    return (int)prb_cli_run((const char *const *)argv, (const char *const *)environ);
}
