/*
 * refusal_reasons.h
 *	  Every reason for which casino refuses: word, error code, names of the values in its data, and what a
 *	  player is told, in English and in Czech; {name} stands for a value (R12.30).
 *
 * Included where REASON is defined; the one list from which C, SQL and the reference take the words.
 */

/* bets */
REASON(BETTING_CLOSED, "betting_closed", BETTING_CLOSED, "round_id status until",
	   "No more bets: betting is closed.",
	   "Už nelze sázet, sázky jsou uzavřeny.")
REASON(BELOW_MINIMUM, "below_minimum", STAKE_OUT_OF_LIMITS, "kind bet stake min table",
	   "The stake of {stake} CZK on {kind} is below the minimum of {min} CZK.",
	   "Vklad {stake} Kč ({kind}) je nižší než minimum {min} Kč.")
REASON(ABOVE_MAXIMUM, "above_maximum", STAKE_OUT_OF_LIMITS, "kind bet stake max table",
	   "The stake of {stake} CZK on {kind} is above the maximum of {max} CZK.",
	   "Vklad {stake} Kč ({kind}) je vyšší než maximum {max} Kč.")
REASON(ABOVE_STACK, "above_stack", STAKE_OUT_OF_LIMITS, "seat stake max",
	   "You have {max} CZK left at the table, not {stake} CZK.",
	   "U stolu vám zbývá {max} Kč, ne {stake} Kč.")
REASON(WRONG_AMOUNT, "wrong_amount", STAKE_OUT_OF_LIMITS, "kind stake expected",
	   "{kind} must be {expected} CZK, not {stake} CZK.",
	   "Vklad ({kind}) musí být {expected} Kč, ne {stake} Kč.")
REASON(BOX_LIMIT, "box_limit", STAKE_OUT_OF_LIMITS, "seat stake max others",
	   "{stake} CZK on box {seat} are above the maximum of {max} CZK for all its players.",
	   "Vklady {stake} Kč na box {seat} jsou nad maximem {max} Kč pro všechny hráče boxu.")
REASON(INSURANCE_ABOVE_HALF, "insurance_above_half", STAKE_OUT_OF_LIMITS, "seat stake max",
	   "Insurance may be at most {max} CZK, half of the stakes.",
	   "Pojištění může být nejvýše {max} Kč, polovina vkladů.")
REASON(INSURANCE_STEP, "insurance_step", STAKE_OUT_OF_LIMITS, "seat stake table_min",
	   "Insurance must be a multiple of half the table minimum of {table_min} CZK.",
	   "Pojištění musí být násobkem poloviny minima stolu {table_min} Kč.")
REASON(TABLE_LIMITS, "table_limits", STAKE_OUT_OF_LIMITS, "kind min max",
	   "The limits of the table cannot be set so.",
	   "Limity stolu takto nelze nastavit.")
REASON(ROUND_LIMIT, "round_limit", ROUND_LIMIT_EXCEEDED, "round_id stake max",
	   "{stake} CZK in one round are above the maximum of {max} CZK.",
	   "{stake} Kč v jednom kole je nad maximem {max} Kč.")
REASON(NOT_OFFERED, "not_offered", BET_NOT_OFFERED, "game kind table",
	   "This bet is not offered here ({kind}).",
	   "Tato sázka se zde nenabízí ({kind}).")
REASON(POSITION_NOT_OFFERED, "position_not_offered", BET_NOT_OFFERED, "game kind bet",
	   "This combination is not offered ({bet}).",
	   "Tato kombinace se nenabízí ({bet}).")
REASON(OTHER_CELL, "other_cell", BET_NOT_OFFERED, "table cell",
	   "This table is not open to you.",
	   "Tento stůl pro vás není otevřen.")
REASON(PLAYER_MOVED, "player_moved", BET_NOT_OFFERED, "cell",
	   "Your account has moved; please try again.",
	   "Váš účet byl přesunut, zkuste to prosím znovu.")
REASON(NO_HANDOVER, "no_handover", BET_NOT_OFFERED, "game round_id",
	   "Nobody decides for an absent player in this game.",
	   "Za nepřítomného hráče v této hře nikdo nerozhoduje.")

/* bets that are not allowed now */
REASON(TOO_EARLY, "too_early", BET_NOT_ALLOWED_NOW, "kind round_id",
	   "This is possible only after betting has closed ({kind}).",
	   "To je možné až po uzavření sázek ({kind}).")
REASON(ACTIONS_CLOSED, "actions_closed", BET_NOT_ALLOWED_NOW, "kind round_id",
	   "The time for decisions is over.",
	   "Čas na rozhodnutí vypršel.")
REASON(NEEDS_BET, "needs_bet", BET_NOT_ALLOWED_NOW, "kind needs seat",
	   "{kind} is possible only together with {needs}.",
	   "Sázka ({kind}) je možná jen spolu se sázkou ({needs}).")
REASON(ONE_SEAT, "one_seat", BET_NOT_ALLOWED_NOW, "seat other_seat",
	   "You play on seat {seat} and cannot play on seat {other_seat} too.",
	   "Hrajete na místě {seat} a nemůžete hrát i na místě {other_seat}.")
REASON(SEAT_TAKEN, "seat_taken", BET_NOT_ALLOWED_NOW, "seat",
	   "Seat {seat} is taken.",
	   "Místo {seat} je obsazeno.")
REASON(STACK_BROUGHT, "stack_brought", BET_NOT_ALLOWED_NOW, "seat stack",
	   "You have brought {stack} CZK to seat {seat}; the amount stays in this hand.",
	   "Na místo {seat} jste přinesli {stack} Kč; v této hře to platí.")
REASON(HAND_BEGUN, "hand_begun", BET_NOT_ALLOWED_NOW, "round_id",
	   "Chips come to the table before the hand begins.",
	   "Žetony lze přinést ke stolu jen před začátkem hry.")
REASON(HAS_FOLDED, "has_folded", BET_NOT_ALLOWED_NOW, "seat",
	   "You have folded.",
	   "Karty jste složili.")
REASON(CARDS_OPEN, "cards_open", BET_NOT_ALLOWED_NOW, "kind of",
	   "The cards lie open: there is nothing left to decide.",
	   "Karty jsou odkryty, už není o čem rozhodovat.")
REASON(HAS_CALLED, "has_called", BET_NOT_ALLOWED_NOW, "stake",
	   "You have called already.",
	   "Již jste dorovnali.")
REASON(DEALER_HAS_DRAWN, "dealer_has_drawn", BET_NOT_ALLOWED_NOW, "kind cards seat hand",
	   "The dealer has drawn cards: it is too late.",
	   "Krupiér už dobral karty, je pozdě.")
REASON(HAS_SURRENDERED, "has_surrendered", BET_NOT_ALLOWED_NOW, "kind hand seat",
	   "The hand was surrendered.",
	   "Této kombinace karet jste se vzdali.")
REASON(EVEN_MONEY_TAKEN, "even_money_taken", BET_NOT_ALLOWED_NOW, "kind hand seat",
	   "You took even money.",
	   "Přijali jste výplatu 1:1.")
REASON(NOT_WITH_CARDS, "not_with_cards", BET_NOT_ALLOWED_NOW, "kind hand why seat",
	   "The cards do not allow it ({kind}).",
	   "Karty to nedovolují ({kind}).")
REASON(BOX_TAKEN, "box_taken", BET_NOT_ALLOWED_NOW, "kind seat hand",
	   "Box {seat} is another player's.",
	   "Box {seat} patří jinému hráči.")
REASON(BOX_FULL, "box_full", BET_NOT_ALLOWED_NOW, "kind seat players hand",
	   "Box {seat} is full: {players} players bet on it.",
	   "Box {seat} je plný, sází na něj {players} hráči.")
REASON(OWN_BOX, "own_box", BET_NOT_ALLOWED_NOW, "kind seat hand",
	   "Box {seat} is your own.",
	   "Box {seat} je váš vlastní.")
REASON(EMPTY_BOX, "empty_box", BET_NOT_ALLOWED_NOW, "kind seat hand",
	   "Nobody plays on box {seat}.",
	   "Na boxu {seat} nikdo nehraje.")
REASON(OWNER_HAS_NOT, "owner_has_not", BET_NOT_ALLOWED_NOW, "kind seat hand",
	   "The owner of box {seat} has not done so: you can only follow the owner.",
	   "Majitel boxu {seat} to neudělal, můžete jen následovat jeho rozhodnutí.")
REASON(BEHIND_DECIDES, "behind_decides", BET_NOT_ALLOWED_NOW, "kind seat hand",
	   "Your bet behind on box {seat} copies the owner: you cannot decide for it.",
	   "Vaše sázka na boxu {seat} kopíruje majitele boxu, nemůžete rozhodovat.")
REASON(BEHIND_FOLLOWS, "behind_follows", BET_NOT_ALLOWED_NOW, "seat",
	   "The bets behind box {seat} are placed with the owner's; please try again.",
	   "Sázky za boxem {seat} se umisťují s majitelovými, zkuste to prosím znovu.")
REASON(NO_STAKE, "no_stake", BET_NOT_ALLOWED_NOW, "kind seat hand",
	   "You have no stake there.",
	   "Nemáte tam vklad.")
REASON(ALREADY_DOUBLED, "already_doubled", BET_NOT_ALLOWED_NOW, "kind hand seat",
	   "The hand has been doubled.",
	   "Vklad byl již zdvojnásoben.")
REASON(NO_DOUBLE_AFTER_SPLIT, "no_double_after_split", BET_NOT_ALLOWED_NOW, "kind hand seat",
	   "A hand of a split may not be doubled.",
	   "Po rozdělení karet nelze vklad zdvojnásobit.")
REASON(OTHER_HAND, "other_hand", BET_NOT_ALLOWED_NOW, "kind hand next seat",
	   "The next hand is number {next}.",
	   "Další v pořadí je {next}. kombinace karet.")
REASON(ALREADY_SPLIT, "already_split", BET_NOT_ALLOWED_NOW, "kind hand seat",
	   "The hand has its stake.",
	   "Karty byly již rozděleny.")
REASON(TOO_MANY_HANDS, "too_many_hands", BET_NOT_ALLOWED_NOW, "kind hand max seat",
	   "A box may be split into at most {max} hands.",
	   "Karty na boxu lze rozdělit nejvýše na {max} kombinace.")
REASON(CANNOT_DECIDE, "cannot_decide", BET_NOT_ALLOWED_NOW, "seat player_id why",
	   "You cannot take over the decisions on box {seat}.",
	   "Rozhodování na boxu {seat} nemůžete převzít.")

/* rounds */
REASON(ILLEGAL_OUTCOME, "illegal_outcome", ILLEGAL_OUTCOME, "why seat hand hands cards player_id",
	   "The result of the round is being checked.",
	   "Výsledek kola se ověřuje.")
REASON(ROUND_STATE, "round_state", ROUND_STATE, "round_id status why",
	   "That is not possible in this state of the round.",
	   "V tomto stavu kola to není možné.")
REASON(BETTING_OPEN, "betting_open", ROUND_STATE, "round_id",
	   "Betting is open.",
	   "Sázky jsou otevřeny.")
REASON(ACTIONS_OPEN, "actions_open", ROUND_STATE, "round_id",
	   "The players' decisions are not over.",
	   "Hráči se ještě rozhodují.")
REASON(ACTIONS_OVER, "actions_over", ROUND_STATE, "round_id ended_at",
	   "The players' decisions are over.",
	   "Rozhodování hráčů skončilo.")
REASON(ROUND_KEPT, "round_kept", ROUND_STATE, "round_id",
	   "The record of a round does not change.",
	   "Záznam o kole se nemění.")
REASON(UNEVALUATED_ROUND, "unevaluated_round", ROUND_STATE, "table round_id round_ref status",
	   "The last round of this table is not evaluated.",
	   "Poslední kolo tohoto stolu není vyhodnoceno.")
REASON(TABLE_CLOSED, "table_closed", ROUND_STATE, "table closed_at",
	   "This table is closed.",
	   "Tento stůl je uzavřen.")
REASON(OPENED_OTHERWISE, "opened_otherwise", ROUND_STATE, "round_ref round_id betting_until",
	   "This round was opened otherwise.",
	   "Toto kolo bylo otevřeno jinak.")
REASON(NUMBER_TAKEN, "number_taken", ROUND_STATE, "round_id round_ref",
	   "This number is another round's.",
	   "Toto číslo patří jinému kolu.")

/* the ledger */
REASON(LEDGER_IMMUTABLE, "ledger_immutable", LEDGER_IMMUTABLE, "table",
	   "Records do not change.",
	   "Zaznamenané údaje se nemění.")
REASON(INSUFFICIENT_FUNDS, "insufficient_funds", INSUFFICIENT_FUNDS, "balance needed missing",
	   "You have {balance} CZK; {missing} CZK are missing.",
	   "Na kontě máte {balance} Kč, chybí {missing} Kč.")
REASON(REQUEST_CONFLICT, "request_conflict", REQUEST_CONFLICT, "request_id why",
	   "This request was sent before with another content.",
	   "Tento požadavek byl již odeslán s jiným obsahem.")
REASON(REQUEST_CANCELLED, "request_cancelled", REQUEST_CONFLICT, "request_id round_id at",
	   "This request was cancelled before it arrived.",
	   "Tento požadavek byl zrušen dříve, než dorazil.")
REASON(PAYOUT_MISMATCH, "payout_mismatch", PAYOUT_MISMATCH, "kind stake_entry_no why",
	   "The rules give no such payment.",
	   "Pravidla takovou výplatu nepřipouštějí.")
REASON(NO_OPEN_WITHDRAWAL, "no_open_withdrawal", PAYOUT_MISMATCH, "entry_no",
	   "This is not an open withdrawal.",
	   "Takový otevřený výběr neexistuje.")
REASON(WITHDRAWAL_ENDED, "withdrawal_ended", PAYOUT_MISMATCH, "withdrawal_id how",
	   "The withdrawal was paid or cancelled before.",
	   "Výběr byl již vyplacen nebo zrušen.")
REASON(WITHDRAWAL_DIFFERS, "withdrawal_differs", PAYOUT_MISMATCH, "entry_no amount method",
	   "The withdrawal was requested otherwise.",
	   "O výběr bylo požádáno jinak.")
REASON(POSTED_BY_CORRECTION, "posted_by_correction", PAYOUT_MISMATCH, "kind",
	   "Only an approved correction posts such an entry.",
	   "Takový záznam vzniká jen schválenou opravou.")
REASON(CLOCK_DIFFERS, "clock_differs", BACKDATED, "at clock seconds",
	   "The time of the request differs from the server's clock.",
	   "Čas požadavku se liší od hodin serveru.")
REASON(CLOCK_BEHIND, "clock_behind", BACKDATED, "recorded_at seconds",
	   "The server's clock is behind; please try again later.",
	   "Hodiny serveru se opožďují, zkuste to prosím později.")
REASON(BACKDATED, "backdated", BACKDATED, "at not_before",
	   "The time of the request is before the last record.",
	   "Čas požadavku předchází tomu, co je zaznamenáno.")

/* the law's duties */
REASON(BREAK_DUE, "break_due", BREAK_REQUIRED, "until since minutes seconds",
	   "You must take a break; you may bet again at {until}.",
	   "Musíte si dát přestávku; znovu můžete sázet v {until}.")
REASON(SECOND_TABLE, "second_table", SECOND_TABLE, "table round_id evaluated_at",
	   "You take part at table {table}; you may play at one live table at a time.",
	   "Účastníte se hry u stolu {table}; současně lze hrát jen u jednoho živého stolu.")
REASON(CASH_LIMIT, "cash_limit", CASH_LIMIT, "amount max paid",
	   "At most {max} CZK are paid in cash in the time of the game plan; a transfer has no such limit.",
	   "V hotovosti lze v době podle herního plánu vyplatit nejvýše {max} Kč; převod takový limit nemá.")
REASON(EXCLUDED, "excluded", EXCLUDED, "until",
	   "You are excluded from playing (until {until}). Winnings are paid all the same.",
	   "Jste vyloučeni ze hry (do {until}). Výhry se vyplácejí i tak.")
REASON(EXCLUSION_STANDS, "exclusion_stands", EXCLUDED, "source until",
	   "An exclusion that the player asked for ends only by its time.",
	   "Vyloučení na žádost hráče končí jen uplynutím doby.")
REASON(REGISTER_NOT_ASKED, "register_not_asked", EXCLUDED, "hours",
	   "The register of excluded persons must be asked before you play.",
	   "Před hrou je třeba ověřit rejstřík vyloučených osob.")
REASON(SELF_LIMIT, "self_limit", SELF_LIMIT, "measure period limit used stake",
	   "Your limit of {limit} CZK ({measure}, {period}) leaves no room: {used} CZK are used.",
	   "Váš limit {limit} Kč ({measure}, {period}) nestačí: vyčerpáno {used} Kč.")
REASON(NO_PAYMENT_ACCOUNT, "no_payment_account", NO_PAYMENT_ACCOUNT, "",
	   "Register a payment account first: a transfer goes only to a registered account.",
	   "Nejprve si zaregistrujte platební účet; převod lze poslat jen na registrovaný účet.")
REASON(APPROVAL_DUE, "approval_due", NO_PAYMENT_ACCOUNT, "registered_at requested_at",
	   "The payment account was changed lately: a second person must approve the transfer.",
	   "Platební účet byl nedávno změněn: převod musí schválit druhá osoba.")
REASON(SAME_PERSON, "same_person", NO_PAYMENT_ACCOUNT, "withdrawal_id registered_at",
	   "A second person must approve the withdrawal.",
	   "Výběr musí schválit druhá osoba.")
