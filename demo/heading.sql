-- prints :heading
\echo
\echo
\echo == :heading
