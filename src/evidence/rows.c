/*
 * rows.c
 *	  Rows of evidence tables as leaves, lines of an export and keys, by the
 *	  layouts of the core (leaf.h).  Independent of all settings: no output
 *	  function of a type is called but those of values that are none of ours.
 */
#include "evidence/evidence.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "casino.h"
#include "core/evidence/line.h"

/* The shape of the rows of one call. */
typedef struct CallShape
{
	EvidenceShape shape;
	Oid			type;
	int32		typmod;
	TupleDesc	tupdesc;
	Datum	   *values;
	bool	   *nulls;
} CallShape;

/* May a column of this type stand for such a field? */
static bool
fits(CasinoFieldType field, Oid type)
{
	switch (field)
	{
		case CASINO_FIELD_INT:
			return type == INT8OID || type == INT4OID || type == INT2OID;
		case CASINO_FIELD_BOOL:
			return type == BOOLOID;
		case CASINO_FIELD_MONEY:
			return type == NUMERICOID;
		case CASINO_FIELD_TIME:
			return type == TIMESTAMPTZOID;
		case CASINO_FIELD_DATE:
			return type == DATEOID;
		case CASINO_FIELD_TEXT:
			return type == TEXTOID;
		case CASINO_FIELD_HASH:
			return type == BYTEAOID;
		case CASINO_FIELD_INTS:
			return type == INT8ARRAYOID;
		case CASINO_FIELD_JSON:
			return type == JSONBOID;
		case CASINO_FIELD_BET:
		case CASINO_FIELD_HAND:
			return true;		/* see shape_of() */
		case CASINO_FIELD_BETS:
			return OidIsValid(get_element_type(type));
	}
	return false;
}

static bool
is_own_type(CasinoFieldType field, Oid type)
{
	Oid			own = field == CASINO_FIELD_BETS ? get_element_type(type) : type;
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(own));
	bool		result = false;

	/* not by format_type(): how that quotes is a setting */
	if (HeapTupleIsValid(tuple))
	{
		Form_pg_type form = (Form_pg_type) GETSTRUCT(tuple);
		const char *schema = get_namespace_name(form->typnamespace);

		result = schema != NULL && strcmp(schema, "casino") == 0 &&
			strcmp(NameStr(form->typname), field == CASINO_FIELD_HAND ? "hand" : "bet") == 0;
		ReleaseSysCache(tuple);
	}
	return result;
}

void
casino_evidence_shape(const CasinoLayout *layout, TupleDesc tupdesc, EvidenceShape *shape)
{
	shape->layout = layout;
	for (int i = 0; i < layout->nfields; i++)
	{
		const CasinoField *field = &layout->fields[i];
		int			a = 0;

		while (a < tupdesc->natts && (TupleDescAttr(tupdesc, a)->attisdropped ||
									  strcmp(NameStr(TupleDescAttr(tupdesc, a)->attname), field->name) != 0))
			a++;
		if (a == tupdesc->natts || !fits(field->type, TupleDescAttr(tupdesc, a)->atttypid) ||
			((field->type == CASINO_FIELD_BET || field->type == CASINO_FIELD_HAND ||
			  field->type == CASINO_FIELD_BETS) &&
			 !is_own_type(field->type, TupleDescAttr(tupdesc, a)->atttypid)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("the row has no column \"%s\" as section %s asks for", field->name,
							layout->section)));
		shape->attribute[i] = a;
		shape->attribute_type[i] = TupleDescAttr(tupdesc, a)->atttypid;
	}
}

/* The columns of the fields; kept with the call. */
static CallShape *
shape_of(FunctionCallInfo fcinfo, const CasinoLayout *layout, HeapTupleHeader row)
{
	CallShape  *call = fcinfo->flinfo->fn_extra;
	Oid			type = HeapTupleHeaderGetTypeId(row);
	int32		typmod = HeapTupleHeaderGetTypMod(row);
	MemoryContext old;

	if (call != NULL && call->shape.layout == layout && call->type == type && call->typmod == typmod)
		return call;
	old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	call = palloc0(sizeof(CallShape));
	call->type = type;
	call->typmod = typmod;
	call->tupdesc = lookup_rowtype_tupdesc_copy(type, typmod);
	call->values = palloc(call->tupdesc->natts * sizeof(Datum));
	call->nulls = palloc(call->tupdesc->natts * sizeof(bool));
	MemoryContextSwitchTo(old);
	casino_evidence_shape(layout, call->tupdesc, &call->shape);
	fcinfo->flinfo->fn_extra = call;
	return call;
}

/* An amount in haléře; what is none is kept as the text of the number. */
static void
money_value(Numeric amount, CasinoValue *value)
{
	char	   *text;
	const char *at;
	bool		negative;
	int			decimals = -1;
	uint64		halere = 0;
	uint64		most;

	if (numeric_is_nan(amount) || numeric_is_inf(amount))
		text = DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(amount)));
	else
		text = numeric_normalize(amount);
	negative = text[0] == '-';
	most = (uint64) PG_INT64_MAX + negative;
	value->presence = CASINO_PRESENT;
	for (at = text + negative; *at != '\0'; at++)
	{
		if (*at == '.' && decimals < 0)
			decimals = 0;
		else if (*at < '0' || *at > '9' || (decimals >= 0 && ++decimals > 2) ||
				 halere > (most - (*at - '0')) / 10)
			break;
		else
			halere = halere * 10 + (*at - '0');
	}
	for (decimals = Max(decimals, 0); *at == '\0' && decimals < 2; decimals++)
	{
		if (halere > most / 10)
			break;
		halere *= 10;
	}
	if (*at == '\0' && decimals == 2)
	{
		value->number = negative ? (int64) (0 - halere) : (int64) halere;
		pfree(text);
		return;
	}
	value->presence = CASINO_AS_TEXT;
	value->text = text;
	value->len = strlen(text);
}

static void
json_value(Datum datum, CasinoValue *value)
{
	CasinoBuffer buffer;

	casino_buffer_init(&buffer);
	casino_json_write(&buffer, &DatumGetJsonbP(datum)->root);
	value->text = buffer.data;
	value->len = buffer.len;
}

/*
 * Elements of an array, one after the other.  An array that no code of ours
 * writes (with NULL, of several dimensions, or not counted from 1) is kept as
 * its text: one row that cannot be encoded would hide all others (R12.23).
 */
static void
array_value(CasinoFieldType type, Oid column, Datum datum, CasinoValue *value)
{
	ArrayType  *array = DatumGetArrayTypeP(datum);
	Datum	   *elements;

	if (ARR_NDIM(array) > 1 || array_contains_nulls(array) ||
		(ARR_NDIM(array) == 1 && ARR_LBOUND(array)[0] != 1))
	{
		Oid			output;
		bool		is_varlena;

		getTypeOutputInfo(column, &output, &is_varlena);
		value->presence = CASINO_AS_TEXT;
		value->text = OidOutputFunctionCall(output, PointerGetDatum(array));
		value->len = strlen(value->text);
		return;
	}

	value->len = (size_t) casino_array_elements(array, "an array of evidence",
												type == CASINO_FIELD_INTS ? 8 : 16,
												type == CASINO_FIELD_INTS, TYPALIGN_DOUBLE, &elements, NULL);
	if (type == CASINO_FIELD_INTS)
	{
		int64	   *numbers = palloc(Max(value->len, 1) * sizeof(int64));

		for (size_t i = 0; i < value->len; i++)
			numbers[i] = DatumGetInt64(elements[i]);
		value->numbers = numbers;
	}
	else
	{
		CasinoBet  *bets = palloc(Max(value->len, 1) * sizeof(CasinoBet));

		for (size_t i = 0; i < value->len; i++)
			bets[i] = *DatumGetBet(elements[i]);
		value->bets = bets;
	}
}

static void
value_of(CasinoFieldType type, Oid column, Datum datum, CasinoValue *value)
{
	text	   *bytes;

	value->presence = CASINO_PRESENT;

	/* what PostgreSQL keeps, as the layout of evidence has it; nothing is printed by an output function */
	switch (type)
	{
		case CASINO_FIELD_INT:
			value->number = column == INT8OID ? DatumGetInt64(datum)
				: column == INT4OID ? DatumGetInt32(datum)
				: DatumGetInt16(datum);
			break;
		case CASINO_FIELD_BOOL:
			value->number = DatumGetBool(datum);
			break;
		case CASINO_FIELD_MONEY:
			money_value(DatumGetNumeric(datum), value);
			break;
		case CASINO_FIELD_TIME:
			value->number = DatumGetTimestampTz(datum);
			break;
		case CASINO_FIELD_DATE:
			value->number = DatumGetDateADT(datum);
			break;
		case CASINO_FIELD_TEXT:
			bytes = DatumGetTextPP(datum);
			value->text = VARDATA_ANY(bytes);
			value->len = VARSIZE_ANY_EXHDR(bytes);
			break;
		case CASINO_FIELD_HASH:
			bytes = (text *) DatumGetByteaPP(datum);
			value->text = (const char *) casino_hash_argument((bytea *) bytes, "a hash");
			value->len = CASINO_HASH_LEN;
			break;
		case CASINO_FIELD_BET:
			value->bet = *DatumGetBet(datum);
			break;
		case CASINO_FIELD_HAND:
			casino_datum_get_hand(datum, &value->hand);
			break;
		case CASINO_FIELD_INTS:
		case CASINO_FIELD_BETS:
			array_value(type, column, datum, value);
			break;
		case CASINO_FIELD_JSON:
			json_value(datum, value);
			break;
	}
}

void
casino_evidence_values(const EvidenceShape *shape, const Datum *columns, const bool *nulls,
					   CasinoValue *values)
{
	for (int i = 0; i < shape->layout->nfields; i++)
	{
		int			a = shape->attribute[i];

		if (nulls[a])
			values[i].presence = CASINO_NULL;
		else
			value_of(shape->layout->fields[i].type, shape->attribute_type[i], columns[a], &values[i]);
	}
}

/* The row's values in the order of the layout. */
static void
take_apart(FunctionCallInfo fcinfo, const CasinoLayout *layout, HeapTupleHeader row, CasinoValue *values)
{
	CallShape  *call = shape_of(fcinfo, layout, row);
	HeapTupleData tuple;

	tuple.t_len = HeapTupleHeaderGetDatumLength(row);
	ItemPointerSetInvalid(&tuple.t_self);
	tuple.t_tableOid = InvalidOid;
	tuple.t_data = row;
	heap_deform_tuple(&tuple, call->tupdesc, call->values, call->nulls);
	casino_evidence_values(&call->shape, call->values, call->nulls, values);
}

static const CasinoLayout *
layout_argument(FunctionCallInfo fcinfo, int n)
{
	text	   *section = PG_GETARG_TEXT_PP(n);
	const CasinoLayout *layout = casino_layout_find(VARDATA_ANY(section), VARSIZE_ANY_EXHDR(section));

	if (layout == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("\"%.*s\" is not a section of a seal", Min((int) VARSIZE_ANY_EXHDR(section), 64),
						VARDATA_ANY(section))));
	return layout;
}

static struct varlena *
finish(CasinoBuffer *buffer)
{
	if (buffer->failed || !AllocSizeIsValid(buffer->len))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a row of evidence is too large")));
	SET_VARSIZE(buffer->data, buffer->len);
	return (struct varlena *) buffer->data;
}

/* room for the header of a varlena first */
static void
begin(CasinoBuffer *buffer)
{
	static const char header[VARHDRSZ];

	casino_buffer_init(buffer);
	casino_buffer_reserve(buffer, 512);
	casino_buffer_put(buffer, header, VARHDRSZ);
}

static Datum
leaf_datum(FunctionCallInfo fcinfo, const CasinoLayout *layout, HeapTupleHeader row)
{
	CasinoValue values[CASINO_FIELDS_MAX];
	CasinoBuffer buffer;

	take_apart(fcinfo, layout, row, values);
	begin(&buffer);
	casino_leaf_put(&buffer, layout, values);
	PG_RETURN_POINTER(finish(&buffer));
}

/* evidence_leaf(section, row) */
PG_FUNCTION_INFO_V1(casino_sql_evidence_leaf);
Datum
casino_sql_evidence_leaf(PG_FUNCTION_ARGS)
{
	return leaf_datum(fcinfo, layout_argument(fcinfo, 0), PG_GETARG_HEAPTUPLEHEADER(1));
}

/* ledger_leaf(row) */
PG_FUNCTION_INFO_V1(casino_sql_ledger_leaf);
Datum
casino_sql_ledger_leaf(PG_FUNCTION_ARGS)
{
	static const CasinoLayout *ledger = NULL;

	if (ledger == NULL)
		ledger = casino_layout_find("ledger", strlen("ledger"));
	return leaf_datum(fcinfo, ledger, PG_GETARG_HEAPTUPLEHEADER(0));
}

/* evidence_line(section, row) */
PG_FUNCTION_INFO_V1(casino_sql_evidence_line);
Datum
casino_sql_evidence_line(PG_FUNCTION_ARGS)
{
	const CasinoLayout *layout = layout_argument(fcinfo, 0);
	CasinoValue values[CASINO_FIELDS_MAX];
	CasinoBuffer buffer;

	take_apart(fcinfo, layout, PG_GETARG_HEAPTUPLEHEADER(1), values);
	begin(&buffer);
	casino_line_write(&buffer, layout, values);
	PG_RETURN_POINTER(finish(&buffer));
}

/* evidence_key(section, row) */
PG_FUNCTION_INFO_V1(casino_sql_evidence_key);
Datum
casino_sql_evidence_key(PG_FUNCTION_ARGS)
{
	const CasinoLayout *layout = layout_argument(fcinfo, 0);
	CasinoValue values[CASINO_FIELDS_MAX];
	CasinoBuffer buffer;

	take_apart(fcinfo, layout, PG_GETARG_HEAPTUPLEHEADER(1), values);
	begin(&buffer);
	casino_line_key(&buffer, layout, values);
	PG_RETURN_POINTER(finish(&buffer));
}

/* evidence_layouts(): section_no, section, relation, tag, version, field_no, field, type, is_key */
PG_FUNCTION_INFO_V1(casino_sql_evidence_layouts);
Datum
casino_sql_evidence_layouts(PG_FUNCTION_ARGS)
{
	static const char *const types[] = {"int", "bool", "money", "time", "date", "text",
	"hash", "bet", "hand", "ints", "bets", "json"};
	ReturnSetInfo *rsinfo = (ReturnSetInfo *) fcinfo->resultinfo;
	int			count;
	const CasinoLayout *layouts = casino_layouts(&count);

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < count; i++)
	{
		if (layouts[i].tag == 0)
			continue;
		for (int j = 0; j < layouts[i].nfields; j++)
		{
			Datum		values[9];
			bool		nulls[9] = {0};

			values[0] = Int32GetDatum(i + 1);
			values[1] = CStringGetTextDatum(layouts[i].section);
			values[2] = CStringGetTextDatum(layouts[i].table);
			values[3] = Int32GetDatum(layouts[i].tag);
			values[4] = Int32GetDatum(layouts[i].version);
			values[5] = Int32GetDatum(j + 1);
			values[6] = CStringGetTextDatum(layouts[i].fields[j].name);
			values[7] = CStringGetTextDatum(types[layouts[i].fields[j].type]);
			values[8] = BoolGetDatum(layouts[i].fields[j].is_key);
			tuplestore_putvalues(rsinfo->setResult, rsinfo->setDesc, values, nulls);
		}
	}
	return (Datum) 0;
}
