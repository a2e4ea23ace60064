/* Records of the file (kept_file.h) as bytes. */
#ifndef SOTTO_KEPT_RECORD_H
#define SOTTO_KEPT_RECORD_H

#include "base/buf.h"
#include "kept/kept_internal.h"

enum { KEPT_FRAME = 8 }; /* bytes of length and checksum */

/* Appends the records that the reply's next tokens take, at most `max` tokens; *n of them, which it has more than
 * n_saved of. `spent`: bytes of the file that these tokens have to bear besides. */
enum status kept_record_put(struct kept *kept, struct kept_reply *reply, size_t max, size_t spent, struct buf *out,
                            size_t *n);
/* Takes what a record says. False: it is not one; nothing was changed. */
bool kept_record_take(struct kept *kept, const uint8_t *bytes, size_t len);

#endif
