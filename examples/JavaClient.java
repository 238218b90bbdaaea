import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/**
 * A round by JDBC (pgjdbc): open, bet, settle, read the answer. Arguments: JDBC URL, table's number. java -cp postgresql.jar JavaClient.java URL TABLE
 */
public final class JavaClient {
    /* What may be sent again, with the same request_id: nothing else has happened, or it is answered as the first time. */
    private static final Set<String> AT_ONCE = Set.of("40001", "40P01");                     // serialization failure, deadlock
    private static final Set<String> LATER = Set.of("55P03", "57014", "53300");              // lock_timeout, statement_timeout, too many connections
    private static final Set<String> CONNECT_AGAIN = Set.of("57P01", "57P02", "57P03", "25006"); // stopped, crashed, starting; a standby now
    private static final int ATTEMPTS = 8;

    interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private final String url;
    private Connection connection;

    private JavaClient(String url) {
        this.url = url;
    }

    /** Run one statement, which is one transaction, until it is answered. pgjdbc gives a lost connection a code of class 08. */
    private <T> T call(String query, Reader<T> reader, Object... parameters) throws SQLException {
        for (int attempt = 1;; attempt++) {
            try {
                if (connection == null) {
                    // prepareThreshold=0 in the URL: behind a pgbouncer older than 1.21 nothing may be prepared by name
                    connection = DriverManager.getConnection(url);
                }
                try (PreparedStatement statement = connection.prepareStatement(query)) {
                    for (int i = 0; i < parameters.length; i++) {
                        statement.setObject(i + 1, parameters[i] instanceof List
                            ? connection.createArrayOf("text", ((List<?>) parameters[i]).toArray()) : parameters[i]);
                    }
                    try (ResultSet rows = statement.executeQuery()) {
                        return reader.read(rows);
                    }
                }
            } catch (SQLException error) {
                String state = error.getSQLState() == null ? "" : error.getSQLState();
                boolean lost = state.startsWith("08") || CONNECT_AGAIN.contains(state);

                if (attempt == ATTEMPTS || !(lost || AT_ONCE.contains(state) || LATER.contains(state))) {
                    throw error;
                }
                if (lost && connection != null) {
                    try {
                        connection.close();
                    } catch (SQLException ignored) {
                        // it was lost
                    }
                    connection = null;
                }
                if (!AT_ONCE.contains(state)) {
                    pause(attempt);
                }
            }
        }
    }

    private static void pause(int attempt) {
        try {
            Thread.sleep((long) (Math.min(50 << attempt, 2000) * (0.5 + Math.random() / 2)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> Reader<T> first(Class<T> type) {
        return rows -> {
            rows.next();
            return rows.getObject(1, type);
        };
    }

    private static final Reader<Void> NOTHING = rows -> null;

    private void play(long table) throws SQLException {
        // of other types than its own JDBC sends text, which the cast makes a casino type
        Long player = call("SELECT casino.register_player(?)", first(Long.class), "java");
        call("SELECT casino.deposit(?, ?, ?)", NOTHING, player, new BigDecimal("1000.00"), "java deposit 1");
        Long round = call("SELECT casino.open_round(?, ?)", first(Long.class), table, "java 1");

        call("SELECT entry_nos, balance FROM casino.place_bets_balance(?, ?, ?::casino.bet[], ?)", rows -> {
            rows.next();
            Array entries = rows.getArray(1);
            System.out.println("placed as entries " + String.join(", ",
                Arrays.stream((Long[]) entries.getArray()).map(String::valueOf).toArray(String[]::new)) + "; balance " + rows.getBigDecimal(2));
            return null;
        }, round, player, List.of("red@100", "straight:17@50"), "java bet 1");
        try {
            call("SELECT casino.place_bets(?, ?, ?::casino.bet[], ?)", NOTHING, round, player, List.of("black@1000"), "java bet 2");
        } catch (PSQLException error) {
            ServerErrorMessage message = error.getServerErrorMessage();     // a refusal: never sent again
            System.out.println("refused: " + error.getSQLState() + " " + message.getDetail());
        }

        call("SELECT casino.close_betting(?)", NOTHING, round);
        call("SELECT * FROM casino.settle_round(?, ?::jsonb)", rows -> {
            rows.next();
            System.out.println(rows.getString("status") + ": " + rows.getLong("wagers") + " wagers, staked " + rows.getBigDecimal("staked")
                + ", paid " + rows.getBigDecimal("paid") + ", house " + rows.getBigDecimal("house_result"));
            return null;
        }, round, "{\"number\": 17}");
        call("SELECT casino.kind(bet), casino.selection(bet), casino.stake(bet) FROM casino.wager WHERE round_id = ? AND status = 'won'"
            + " ORDER BY entry_no", rows -> {
                while (rows.next()) {
                    System.out.println("won: " + rows.getString(1) + " " + rows.getString(2) + " with " + rows.getBigDecimal(3));
                }
                return null;
            }, round);
        call("SELECT casino.blackjack_total(?::casino.hand), casino.hand_append(?::casino.hand, ?::casino.card)", rows -> {
            rows.next();
            System.out.println("As 5d is " + rows.getInt(1) + "; with a king " + rows.getString(2));
            return null;
        }, "As 5d", "As 5d", "Kc");
        connection.close();
    }

    public static void main(String[] arguments) throws SQLException {
        new JavaClient(arguments[0]).play(Long.parseLong(arguments[1]));
    }
}
