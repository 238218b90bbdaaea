-- The text for a player about a refusal, in Czech or English, from its reason and values.

CREATE FUNCTION casino_internal.player_word(word text, lang text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
    SELECT coalesce((SELECT CASE lang WHEN 'cs' THEN w.czech ELSE w.english END
                       FROM (VALUES ('stake', 'stakes', 'vklady'),
                                    ('net_loss', 'net loss', 'čistá prohra'),
                                    ('day', 'day', 'den'),
                                    ('month', 'month', 'měsíc'),
                                    ('infinity', 'further notice', 'odvolání'),
                                    ('red', 'red', 'červená'),
                                    ('black', 'black', 'černá'),
                                    ('odd', 'odd', 'lichá'),
                                    ('even', 'even', 'sudá'),
                                    ('low', 'low (1-18)', 'malá (1-18)'),
                                    ('high', 'high (19-36)', 'velká (19-36)'),
                                    ('straight', 'straight up', 'plné číslo'),
                                    ('split', 'split', 'dvě čísla'),
                                    ('street', 'street', 'tři čísla'),
                                    ('corner', 'corner', 'čtyři čísla'),
                                    ('six_line', 'six line', 'šest čísel'),
                                    ('column', 'column', 'sloupec'),
                                    ('dozen', 'dozen', 'tucet'),
                                    ('main', 'main bet', 'hlavní sázka'),
                                    ('behind', 'bet behind', 'sázka za hráče'),
                                    ('double_down', 'double', 'zdvojnásobení'),
                                    ('free_double', 'free double', 'zdvojnásobení zdarma'),
                                    ('split_pair', 'split of a pair', 'rozdělení páru'),
                                    ('free_split', 'free split', 'rozdělení zdarma'),
                                    ('insurance', 'insurance', 'pojištění'),
                                    ('even_money', 'even money', 'výplata 1:1'),
                                    ('surrender', 'surrender', 'vzdání'),
                                    ('player', 'player', 'hráč'),
                                    ('banker', 'banker', 'bankéř'),
                                    ('tie', 'tie', 'remíza'),
                                    ('ante', 'ante', 'ante'),
                                    ('call', 'call', 'dorovnání'),
                                    ('raise', 'raise', 'navýšení'))
                            w (word, english, czech)
                      WHERE w.word = player_word.word), word)
$fn$;
COMMENT ON FUNCTION casino_internal.player_word(text, text)
    IS 'Part of message_for_player(): a word of the data in English or Czech; one that it does not know, '
       'itself';

-- An amount has two decimals, with a comma in Czech; a time is that of Prague.
CREATE FUNCTION casino_internal.player_value(name text, data jsonb, lang text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    said CONSTANT text := data ->> name;
    at timestamp;
BEGIN
    IF name IN ('stake', 'min', 'max', 'expected', 'others', 'table_min', 'balance', 'needed', 'missing',
                'amount', 'paid', 'limit', 'used')
       AND jsonb_typeof(data -> name) = 'number' THEN
        RETURN CASE WHEN lang = 'cs'
                    THEN translate(to_char(said::numeric, 'FM999G999G999G999G990.00'), '.,', ',' || U&'\00A0')
                    ELSE to_char(said::numeric, 'FM999G999G999G999G990.00') END;
    END IF;
    IF said ~ '^\d{4,6}-\d\d-\d\d[T ]\d\d:\d\d:\d\d' THEN
        at := said::timestamptz AT TIME ZONE 'Europe/Prague';
        RETURN CASE WHEN lang = 'cs' THEN to_char(at, 'FMDD. FMMM. YYYY HH24:MI')
                    ELSE to_char(at, 'YYYY-MM-DD HH24:MI') END;
    END IF;
    RETURN casino_internal.player_word(said, lang);
END
$fn$;
COMMENT ON FUNCTION casino_internal.player_value(text, jsonb, text)
    IS 'Part of message_for_player(): a value of the data as it stands in a text';

CREATE FUNCTION casino.message_for_player(reason text, data jsonb DEFAULT '{}', lang text DEFAULT 'cs')
RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $fn$
DECLARE
    said text;
    -- a value may hold what looks like a place for another
    parts text[];
    part text;
    -- hands are counted: their greatest number is not an amount of money
    told CONSTANT jsonb := CASE reason WHEN 'too_many_hands'
                                       THEN data || jsonb_build_object('max', data ->> 'max')
                                       ELSE data END;
    answer text := '';
BEGIN
    IF reason IS NULL THEN
        RETURN NULL;
    END IF;
    IF lang IS NULL OR lang NOT IN ('cs', 'en') THEN
        RAISE EXCEPTION 'there are texts in cs and en, not in "%"', left(lang, 20)
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT CASE lang WHEN 'cs' THEN r.czech ELSE r.english END INTO said
      FROM casino.refusal_reasons() r
     WHERE r.reason = message_for_player.reason;
    IF said IS NULL THEN
        RETURN CASE lang WHEN 'cs' THEN 'Požadavek byl odmítnut.' ELSE 'The request was refused.' END;
    END IF;
    parts := regexp_split_to_array(said, '(?=\{\w+\})|(?<=\})');
    FOREACH part IN ARRAY parts LOOP
        answer := answer || CASE WHEN part ~ '^\{\w+\}$'
                                 THEN coalesce(casino_internal.player_value(btrim(part, '{}'), told, lang),
                                               '?')
                                 ELSE part END;
    END LOOP;
    RETURN upper(left(answer, 1)) || substr(answer, 2);
END
$fn$;
COMMENT ON FUNCTION casino.message_for_player(text, jsonb, text)
    IS 'What a player is told of a refusal: reason and data of try_place_bets(), or constraint and data type '
       'name of an error, in Czech (cs) or English (en)';
