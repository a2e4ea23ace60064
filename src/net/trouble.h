/* What kept an answer from coming whole, in words that say what to do. */
#ifndef SOTTO_NET_TROUBLE_H
#define SOTTO_NET_TROUBLE_H

#include "net/transfer.h"

/* Sets answer->trouble and the error of a transfer that is over; STATUS_OK: the answer has come whole. */
enum status trouble_of(const struct transfer *transfer, struct error *err) MUST_CHECK;

#endif
