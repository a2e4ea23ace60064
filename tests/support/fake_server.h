/* A backend as a server's is, without a server: of all that only servers do, it tells the screen and the records,
 * so that those can be tested alone. Model paths "server:SETTING,SETTING...":
 *
 * load       opening waits until it is cancelled
 * count      counting waits until it is cancelled, and says so
 * think      a reply reasons until the answer is wanted, or it is cancelled
 * ids        tokens have ids, 0, 1, ...
 * early, filtered  how a reply ends; otherwise by itself
 * broken     ... by an error
 *
 * A reply is "one two three", a token each. Its server is called "fake", its model "small". */
#ifndef SOTTO_TESTS_FAKE_SERVER_H
#define SOTTO_TESTS_FAKE_SERVER_H

#include "engine/backend.h"

#define FAKE_SENT "{\"temperature\":0.5,\"stream\":true}"
#define FAKE_WHY "the server does not know it"
enum { FAKE_N_CTX = 4096, FAKE_N_CTX_LEARNT = 8192 };

extern const struct backend_ops *const fake_servers[]; /* as backend_host.others */

#endif
