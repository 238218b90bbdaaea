/*
 * c_client.c
 *	  A round by libpq: open, bet, settle, read the answer.
 *
 * Connects as libpq does (PGHOST, PGUSER, ...); argument: the table's number.
 * cc -o c_client c_client.c -I$(pg_config --includedir) -L$(pg_config --libdir) -lpq
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libpq-fe.h>

#define ATTEMPTS 8

enum Again
{
	NEVER,						/* a refusal, or a mistake of ours */
	AT_ONCE,
	LATER,
	CONNECTED_ANEW
};

static PGconn *connection = NULL;

static int
is_one_of(const char *state, const char *list)
{
	return strlen(state) == 5 && strstr(list, state) != NULL;
}

/* May the statement be sent again with the same request_id?  A lost connection has no SQLSTATE. */
static enum Again
again(const char *state)
{
	if (state == NULL)
		return PQstatus(connection) == CONNECTION_OK ? NEVER : CONNECTED_ANEW;
	if (is_one_of(state, "40001 40P01"))	/* serialization failure, deadlock */
		return AT_ONCE;
	if (is_one_of(state, "55P03 57014 53300"))	/* lock_timeout, statement_timeout, too many connections */
		return LATER;
	/* stopped, crashed, starting; a standby now */
	if (strncmp(state, "08", 2) == 0 || is_one_of(state, "57P01 57P02 57P03 25006"))
		return CONNECTED_ANEW;
	return NEVER;
}

static void
wait_before(int attempt)
{
	unsigned	ms = 50u << attempt;

	ms = ms > 2000 ? 2000 : ms;
	usleep((ms / 2 + rand() % (ms / 2)) * 1000);
}

/*
 * Run one statement, which is one transaction, until it is answered; the error that remains is in the
 * result, too.
 */
static PGresult *
run(const char *query, int n, const char *const *parameters)
{
	for (int attempt = 1;; attempt++)
	{
		PGresult   *result;
		enum Again	how;

		if (connection == NULL)
			connection = PQconnectdb("");
		result = PQexecParams(connection, query, n, NULL, parameters, NULL, NULL, 0);
		if (PQresultStatus(result) == PGRES_TUPLES_OK)
			return result;
		how = again(PQresultErrorField(result, PG_DIAG_SQLSTATE));
		if (how == NEVER || attempt == ATTEMPTS)
			return result;
		PQclear(result);
		if (how == CONNECTED_ANEW)
		{
			PQfinish(connection);
			connection = NULL;
		}
		if (how != AT_ONCE)
			wait_before(attempt);
	}
}

/* The same for what must succeed; returns its first column, to be kept until the end. */
static char *
call(const char *query, int n, const char *const *parameters)
{
	PGresult   *result = run(query, n, parameters);

	if (PQresultStatus(result) != PGRES_TUPLES_OK)
	{
		fprintf(stderr, "%s%s", query, PQresultErrorMessage(result));
		if (PQresultErrorMessage(result)[0] == '\0')
			fprintf(stderr, ": %s", PQerrorMessage(connection));
		exit(1);
	}
	return PQgetvalue(result, 0, 0);
}

#define CALL(query, ...) \
	call(query, sizeof((const char *[]) {__VA_ARGS__}) / sizeof(char *), (const char *[]) {__VA_ARGS__})

int
main(int argc, char **argv)
{
	char	   *player;
	char	   *round;
	PGresult   *result;

	if (argc != 2)
		return 2;
	/*
	 * everything is sent and comes as text: bets as {red@100,straight:17@50}, amounts with their two
	 * decimals
	 */
	player = CALL("SELECT casino.register_player($1)", "c");
	CALL("SELECT casino.deposit($1, $2, $3)", player, "1000.00", "c deposit 1");
	round = CALL("SELECT casino.open_round($1, $2)", argv[1], "c 1");
	printf("%s\n", CALL("SELECT format('placed as entries %s; balance %s', array_to_string(entry_nos, ', "
		"'), balance)"
						"  FROM casino.place_bets_balance($1, $2, $3, $4)", round, player,
							"{red@100,straight:17@50}", "c bet 1"));

	result = run("SELECT casino.place_bets($1, $2, $3, $4)", 4,
		(const char *[]) {round, player, "{black@1000}", "c bet 2"});
	if (PQresultStatus(result) != PGRES_TUPLES_OK)	/* a refusal: never sent again */
		printf("refused: %s %s\n", PQresultErrorField(result, PG_DIAG_SQLSTATE),
			PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL));
	PQclear(result);

	CALL("SELECT casino.close_betting($1)", round);
	printf("%s\n", CALL("SELECT format('%s: %s wagers, staked %s, paid %s, house %s', status, wagers, "
		"staked, paid, house_result)"
						"  FROM casino.settle_round($1, $2)", round, "{\"number\": 17}"));
	result = run("SELECT casino.kind(bet), casino.selection(bet), casino.stake(bet) FROM casino.wager"
				 " WHERE round_id = $1 AND status = 'won' ORDER BY entry_no", 1, (const char *[]) {round});
	for (int i = 0; i < PQntuples(result); i++)
		printf("won: %s %s with %s\n", PQgetvalue(result, i, 0), PQgetvalue(result, i, 1),
			PQgetvalue(result, i, 2));
	PQclear(result);
	printf("As 5d is %s; ", CALL("SELECT casino.blackjack_total($1)", "As 5d"));
	printf("with a king %s\n", CALL("SELECT casino.hand_append($1, $2)", "As 5d", "Kc"));
	PQfinish(connection);
	return 0;
}
