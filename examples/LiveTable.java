import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * live_table.py in small, by JDBC (pgjdbc): LiveTable URL ROUNDS. A table of roulette and one of blackjack,
 * players who read Czech or English, also through pgbouncer in transaction pooling (prepareThreshold=0 in the
 * URL).
 */
public final class LiveTable {
    private static final Set<String> AT_ONCE = Set.of("40001", "40P01");    // serialization failure, deadlock
    // lock or statement timeout, too many connections; the server stops, crashed, starts; a standby now
    private static final Set<String> LATER =
        Set.of("55P03", "57014", "53300", "57P01", "57P02", "57P03", "25006");
    private static final int PLAYERS = 7;

    private static String url;
    private static final ThreadLocal<Connection> CONNECTION = new ThreadLocal<>();
    private static final ExecutorService CLIENTS = Executors.newFixedThreadPool(6);
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();   // wagers, as answered
    private static final Set<String> HEARD = ConcurrentHashMap.newKeySet();  // texts of refusals

    /** Run one statement, which is one transaction, until it is answered; each row as its columns' texts. */
    private static List<String[]> rows(String query, Object... values) throws Exception {
        for (int attempt = 1;; attempt++) {
            try {
                if (CONNECTION.get() == null) {
                    CONNECTION.set(DriverManager.getConnection(url));
                }
                try (PreparedStatement statement = CONNECTION.get().prepareStatement(query)) {
                    for (int i = 0; i < values.length; i++) {
                        statement.setObject(i + 1, values[i] instanceof String[]
                            ? CONNECTION.get().createArrayOf("text", (String[]) values[i]) : values[i]);
                    }
                    try (ResultSet result = statement.executeQuery()) {
                        List<String[]> all = new ArrayList<>();
                        while (result.next()) {
                            String[] row = new String[result.getMetaData().getColumnCount()];
                            for (int i = 0; i < row.length; i++) {
                                row[i] = result.getString(i + 1);
                            }
                            all.add(row);
                        }
                        return all;
                    }
                }
            } catch (SQLException error) {
                String state = error.getSQLState() == null ? "" : error.getSQLState();
                boolean lost = state.startsWith("08") || state.startsWith("57P") || state.equals("25006");

                if (attempt == 11 || !(lost || AT_ONCE.contains(state) || LATER.contains(state))) {
                    throw error;
                }
                if (lost) {
                    CONNECTION.remove();
                }
                if (!AT_ONCE.contains(state)) {
                    Thread.sleep((long) (Math.min(20 << attempt, 2000) * (0.5 + Math.random() / 2)));
                }
            }
        }
    }

    private static String value(String query, Object... values) throws Exception {
        return rows(query, values).get(0)[0];
    }

    private static boolean bet(long player, String lang, long round, Integer seat, String... bets)
            throws Exception {
        String key = UUID.randomUUID().toString();
        List<String[]> answers = rows("SELECT t.accepted, e, t.balance, "
            + "casino.message_for_player(t.reason, t.data, ?) "
            + "FROM casino.try_place_bets(?, ?, ?::text[]::casino.bet[], ?, ?::integer) t "
            + "LEFT JOIN LATERAL unnest(t.entry_nos) e ON true", lang, round, player, bets, key, seat);

        for (String[] answer : answers) {
            if (answer[0].equals("t")) {
                TOLD.add(player + " " + key + " " + answer[1]);
            } else {
                HEARD.add(answer[3]);
            }
        }
        return answers.get(0)[0].equals("t");
    }

    private static String cards(String dealer, String hand) {
        StringBuilder hands = new StringBuilder();
        for (int seat = 1; seat <= PLAYERS; seat++) {
            hands.append(seat > 1 ? ", " : "");
            hands.append("{\"seat\": " + seat + ", \"cards\": \"" + hand + "\"}");
        }
        return "{\"dealer\": \"" + dealer + "\", \"hands\": [" + hands + "]}";
    }

    /** Everybody at the table at once. */
    private static void each(List<Callable<Void>> tasks) throws Exception {
        for (Future<Void> done : CLIENTS.invokeAll(tasks)) {
            done.get();
        }
    }

    private static void play(long table, String game, int rounds) throws Exception {
        boolean boxes = game.equals("blackjack_synot");
        long[] players = new long[PLAYERS];

        for (int n = 0; n < PLAYERS; n++) {
            players[n] = Long.parseLong(value("SELECT casino.register_player(?)", game + " " + n));
            rows("SELECT casino.deposit(?, 5000, ?)", players[n], "first of " + players[n]);
        }
        for (int number = 0; number < rounds; number++) {
            long round = Long.parseLong(value("SELECT casino.open_round(?, ?)", table, "round " + number));
            List<Callable<Void>> tasks = new ArrayList<>();
            for (int n = 0; n < PLAYERS; n++) {
                final int seat = n + 1;
                final String lang = seat == 2 ? "cs" : "en";
                tasks.add(() -> {
                    if (boxes) {
                        bet(players[seat - 1], lang, round, seat, "main@100");
                    } else if (seat % 2 == 0) {
                        bet(players[seat - 1], lang, round, null, "black@5");
                    } else {
                        bet(players[seat - 1], lang, round, null, "red@50", "straight:17@10");
                    }
                    return null;
                });
            }
            each(tasks);
            rows("SELECT casino.close_betting(?)", round);
            if (boxes) {
                rows("SELECT casino.deal(?, ?::jsonb)", round, cards("6h", "5c 6d"));
                for (int n = 0; n < PLAYERS; n++) {
                    // the database knows whether a double down is on offer
                    String offered = value("SELECT bet::text FROM casino.may_play(?, ?) "
                        + "WHERE why_not IS NULL AND casino.kind(bet) = 'double_down'", round, players[n]);
                    if (!bet(players[n], "en", round, n + 1, offered)) {
                        throw new IllegalStateException("an offer was refused");
                    }
                }
            }
            rows("SELECT casino.settle_round(?, ?::jsonb)", round,
                boxes ? cards("6h Ts 5s", "5c 6d 9h") : "{\"number\": " + (int) (Math.random() * 37) + "}");
            // here a server sends them on
            rows("SELECT player_id, paid, balance FROM casino.round_result(?)", round);
        }
    }

    public static void main(String[] args) throws Exception {
        url = args[0];
        int rounds = Integer.parseInt(args[1]);
        List<String[]> tables = rows("SELECT table_id, game FROM casino.offers() ORDER BY table_id");
        for (String[] table : tables) {
            play(Long.parseLong(table[0]), table[1], rounds);
        }
        Set<String> booked = new TreeSet<>();
        for (String[] wager : rows("SELECT player_id, request_id, entry_no FROM casino.wager")) {
            booked.add(String.join(" ", wager));
        }
        System.out.printf("%d rounds, the books are %sas the players were told%n", tables.size() * rounds,
            booked.equals(TOLD) ? "" : "not ");
        System.out.println(String.join("\n", new TreeSet<>(HEARD)));
        CLIENTS.shutdown();
    }
}
