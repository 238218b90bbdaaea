-- pg_temp.interface(header): the lines of doc/interface-1.0.txt, made of the catalog and, for the codes, of
-- src/casino.h. Run by tools/interface, which writes the file, and by test/pgtap/docs/interface.sql, which
-- holds the file against it. Functions of schema casino_internal are parts, and not listed; nor is a table or
-- view whose COMMENT calls it a part of something else.

CREATE FUNCTION pg_temp.machinery(comment text) RETURNS boolean LANGUAGE sql IMMUTABLE
    AS $$ SELECT coalesce(comment, '') ~ '^(Part|Body|Trigger) of ' $$;

CREATE FUNCTION pg_temp.interface(header text) RETURNS SETOF text LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM 'red@1'::casino.bet;        -- loads the library, and with it the settings
    RETURN QUERY
    SELECT format('%s casino.%s(%s) returns %s',
                  CASE p.prokind WHEN 'a' THEN 'aggregate' WHEN 'p' THEN 'procedure' ELSE 'function' END,
                  p.proname, pg_get_function_arguments(p.oid),
                  coalesce(pg_get_function_result(p.oid), 'nothing'))
      FROM pg_proc p
     WHERE p.pronamespace = 'casino'::regnamespace;

    RETURN QUERY
    SELECT format('column casino.%s.%s %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                  CASE WHEN a.attnotnull THEN ' not null' ELSE '' END)
      FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
       AND NOT pg_temp.machinery(obj_description(c.oid, 'pg_class'));

    RETURN QUERY
    SELECT format('%s casino.%s', CASE c.relkind WHEN 'v' THEN 'view' ELSE 'table' END, c.relname)
      FROM pg_class c
     WHERE c.relnamespace = 'casino'::regnamespace AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition
       AND NOT pg_temp.machinery(obj_description(c.oid, 'pg_class'));

    RETURN QUERY
    SELECT 'type casino.' || t.typname ||
           CASE t.typtype
             WHEN 'd' THEN ' over ' || format_type(t.typbasetype, t.typtypmod)
             WHEN 'e' THEN (SELECT ' of ' || string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder)
                              FROM pg_enum e WHERE e.enumtypid = t.oid)
             ELSE '' END
      FROM pg_type t
     WHERE t.typnamespace = 'casino'::regnamespace AND t.typcategory <> 'A'
       AND (t.typrelid = 0 OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'));

    RETURN QUERY
    SELECT format('operator %s (%s, %s) returns %s', o.oprname,
                  CASE WHEN o.oprleft = 0 THEN 'none' ELSE format_type(o.oprleft, NULL) END,
                  format_type(o.oprright, NULL), format_type(o.oprresult, NULL))
      FROM pg_operator o WHERE o.oprnamespace = 'casino'::regnamespace;

    RETURN QUERY
    SELECT format('cast %s to %s %s', format_type(c.castsource, NULL), format_type(c.casttarget, NULL),
                  CASE c.castcontext WHEN 'i' THEN 'implicit' WHEN 'a' THEN 'assignment'
                  ELSE 'explicit' END)
      FROM pg_cast c
      JOIN pg_depend d ON d.classid = 'pg_cast'::regclass AND d.objid = c.oid AND d.deptype = 'e'
      JOIN pg_extension e ON e.oid = d.refobjid AND d.refclassid = 'pg_extension'::regclass
     WHERE e.extname = 'casino';

    RETURN QUERY
    SELECT format('code %s %s', array_to_string(m[2:6], ''), lower(m[1]))
      FROM regexp_matches(header, 'CASINO_ERRCODE_(\w+)\s+MAKE_SQLSTATE'
                          '\(''(.)'', ''(.)'', ''(.)'', ''(.)'', ''(.)''', 'g') m;

    RETURN QUERY
    SELECT format('reason %s code %s data %s', r.reason, r.code,
                  coalesce(nullif(r.data_names::text, ''), '-'))
      FROM casino.refusal_reasons() r;

    RETURN QUERY
    SELECT format('setting %s %s default %s%s set by %s', s.name, s.vartype,
                  coalesce(nullif(s.boot_val, ''), '-'), coalesce(' ' || s.unit, ''), s.context)
      FROM pg_settings s WHERE s.name LIKE 'casino.%';

    RETURN QUERY
    SELECT format('leaf %s %s tag %s version %s field %s %s %s%s', lpad(l.section_no::text, 2, '0'),
                  l.section, l.tag, l.version, lpad(l.field_no::text, 2, '0'), l.field, l.type,
                  CASE WHEN l.is_key THEN ' key' ELSE '' END)
      FROM casino.evidence_layouts() l;

    RETURN QUERY SELECT 'check ' || c.check_name FROM casino.reconciliation_checks() c;

    RETURN QUERY
    SELECT format('profile %s may use %s %s', a.profile, a.object_type, a.object_name)
      FROM casino.access_profiles() a;
END $$;
