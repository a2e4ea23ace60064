/* tokenizer.model: the pieces of a ModelProto (google/sentencepiece, src/sentencepiece_model.proto), read as protobuf's
 * encoding has them (protobuf.dev, "Encoding"). Field 1 of the model is a piece: 1 its text, 2 its score (float), 3 its
 * type. All other fields are passed over. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "checkpoint/vocabulary.h"
#include "tokenizer/vocab.h"

#define FILE_NAME "tokenizer.model"

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };
enum piece_type { PIECE_NORMAL = 1, PIECE_UNKNOWN, PIECE_CONTROL, PIECE_USER_DEFINED, PIECE_UNUSED, PIECE_BYTE };

struct bytes {
	const unsigned char *base; /* of the file, for offsets in errors */
	size_t at, end;
};

struct field {
	uint32_t number;
	unsigned wire;
	uint64_t value;    /* WIRE_VARINT, WIRE_32, WIRE_64 */
	struct bytes inside; /* WIRE_BYTES */
};

static enum status take_varint(struct bytes *in, uint64_t *value, struct error *err)
{
	*value = 0;
	for (unsigned i = 0; i < 10; i++) {
		unsigned char byte;

		if (in->at == in->end)
			return error_set(err, STATUS_FORMAT, FILE_NAME ": at byte %zu: ends within a number", in->at);
		byte = in->base[in->at++];
		*value |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80))
			return STATUS_OK;
	}
	return error_set(err, STATUS_FORMAT, FILE_NAME ": at byte %zu: a number of more than 10 bytes", in->at);
}

static enum status take_fixed(struct bytes *in, size_t n, uint64_t *value, struct error *err)
{
	if (in->end - in->at < n)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": at byte %zu: %zu bytes are left, expected %zu", in->at,
		                 in->end - in->at, n);
	*value = 0;
	memcpy(value, in->base + in->at, n); /* little-endian, as configure makes sure */
	in->at += n;
	return STATUS_OK;
}

static enum status take_field(struct bytes *in, struct field *field, struct error *err)
{
	size_t at = in->at;
	uint64_t tag;
	enum status status = take_varint(in, &tag, err);

	if (status)
		return status;
	field->wire = tag & 7;
	field->number = (uint32_t)(tag >> 3);
	if (tag >> 3 == 0 || tag >> 3 > UINT32_C(0x1fffffff))
		return error_set(err, STATUS_FORMAT, FILE_NAME ": at byte %zu: field %" PRIu64 ", expected 1..536870911", at,
		                 tag >> 3);
	switch (field->wire) {
	case WIRE_VARINT: return take_varint(in, &field->value, err);
	case WIRE_64: return take_fixed(in, 8, &field->value, err);
	case WIRE_32: return take_fixed(in, 4, &field->value, err);
	case WIRE_BYTES: break;
	default:
		return error_set(err, STATUS_FORMAT, FILE_NAME ": at byte %zu: field %" PRIu32 " of kind %u, expected 0, 1, 2 or 5",
		                 at, field->number, field->wire);
	}
	status = take_varint(in, &field->value, err);
	if (status)
		return status;
	if (field->value > in->end - in->at)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": at byte %zu: field %" PRIu32 " has %" PRIu64
		                 " bytes, but only %zu are left", at, field->number, field->value, in->end - in->at);
	field->inside = (struct bytes){in->base, in->at, in->at + (size_t)field->value};
	in->at += (size_t)field->value;
	return STATUS_OK;
}

struct piece {
	struct bytes text;
	float score;
	uint64_t type;
};

/* A field of a piece that is of another kind than its own is passed over, as protobuf does. */
static enum status take_piece(struct bytes in, struct piece *piece, struct error *err)
{
	struct field field = {0};
	enum status status = STATUS_OK;

	*piece = (struct piece){.text = {in.base, in.at, in.at}, .type = PIECE_NORMAL};
	while (!status && in.at < in.end) {
		status = take_field(&in, &field, err);
		if (status)
			break;
		if (field.number == 1 && field.wire == WIRE_BYTES)
			piece->text = field.inside;
		else if (field.number == 2 && field.wire == WIRE_32)
			memcpy(&piece->score, &field.value, sizeof piece->score);
		else if (field.number == 3 && field.wire == WIRE_VARINT)
			piece->type = field.value;
	}
	return status;
}

/* User-defined pieces count as normal ones, as in the reference: what is matched as a whole is said elsewhere. */
static uint8_t token_type(uint64_t type)
{
	switch (type) {
	case PIECE_UNKNOWN: return TOKEN_UNKNOWN;
	case PIECE_CONTROL: return TOKEN_CONTROL;
	case PIECE_UNUSED: return TOKEN_UNUSED;
	case PIECE_BYTE: return TOKEN_BYTE;
	default: return TOKEN_NORMAL;
	}
}

static enum status put_piece(struct vocabulary *vocabulary, const struct piece *piece, struct error *err)
{
	const char *text = (const char *)piece->text.base + piece->text.at;
	size_t len = piece->text.end - piece->text.at, id = vocabulary->n;
	enum status status;

	if (!len)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": piece %zu: has no text, expected some", id);
	if (!utf8_valid(text, len))
		return error_set(err, STATUS_FORMAT, FILE_NAME ": piece %zu: its text is not UTF-8", id);
	if (piece->type < PIECE_NORMAL || piece->type > PIECE_BYTE)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": piece %zu: is of type %" PRIu64 ", expected 1..6", id,
		                 piece->type);
	if (!isfinite(piece->score))
		return error_set(err, STATUS_FORMAT, FILE_NAME ": piece %zu: its score is %g, expected a number", id,
		                 (double)piece->score);
	status = vocabulary_set(vocabulary, id, text, len, token_type(piece->type), piece->score);
	if (status == STATUS_LIMIT)
		return error_set(err, status, FILE_NAME ": more than %zu pieces, expected at most that", LIMIT_VOCAB);
	if (status)
		return error_no_memory(err, "for the tokenizer");
	vocabulary->tokens[id].is_in_model = true;
	vocabulary->n_in_model++;
	return STATUS_OK;
}

enum status vocabulary_read_model(struct vocabulary *vocabulary, const char *bytes, size_t len, struct error *err)
{
	struct bytes in = {(const unsigned char *)bytes, 0, len};
	struct field field = {0};
	struct piece piece;
	enum status status = STATUS_OK;

	while (!status && in.at < in.end) {
		status = take_field(&in, &field, err);
		if (status || field.number != 1 || field.wire != WIRE_BYTES)
			continue;
		status = take_piece(field.inside, &piece, err);
		status = status ? status : put_piece(vocabulary, &piece, err);
	}
	if (!status && !vocabulary->n)
		return error_set(err, STATUS_FORMAT, FILE_NAME ": has no pieces, expected a SentencePiece model");
	return status;
}
