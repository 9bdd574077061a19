-- views.sql: what is asked of the tables most (tables.def), with names in place of their numbers.

CREATE VIEW calls AS -- names in place of numbers
SELECT c.id, c.parent, c.thread, t.name AS thread_name, c.method,
  m.name AS method_name, c.begin_ns, c.begin_ns + c.duration_ns AS end_ns,
  c.duration_ns, c.self_ns, c.depth, c.failed, s.name AS site_name
FROM call c JOIN thread t ON t.id = c.thread JOIN method m ON m.id = c.method
  LEFT JOIN site s ON s.id = c.site;

CREATE VIEW failed_calls AS -- and the exception that ended each; NULL: it was not recorded
SELECT c.id, c.thread, t.name AS thread_name, m.name AS method_name, c.begin_ns,
  c.begin_ns + c.duration_ns AS end_ns, c.duration_ns, c.depth, k.name AS exception,
  e.begin_ns AS thrown_ns, em.name AS thrown_by
FROM call c JOIN thread t ON t.id = c.thread JOIN method m ON m.id = c.method
  LEFT JOIN event e ON e.rowid = ( -- the latest inside of it that was not caught there
    SELECT x.rowid FROM event x JOIN name w ON w.id = x.what LEFT JOIN call xc ON xc.id = x.call
    WHERE x.thread = c.thread AND x.begin_ns BETWEEN c.begin_ns AND c.begin_ns + c.duration_ns
      AND x.call >= c.id AND xc.failed
      AND w.kind = 'event' AND w.name IN ('exception thrown', 'exception thrown again')
      AND NOT EXISTS (SELECT 1 FROM event y JOIN name v ON v.id = y.what WHERE y.thread = x.thread
        AND y.begin_ns BETWEEN x.begin_ns AND c.begin_ns + c.duration_ns AND y.rowid > x.rowid
        AND v.kind = 'event' AND v.name = 'exception caught' AND y.class IS x.class
        AND y.call >= c.id)
    ORDER BY x.begin_ns DESC, x.rowid DESC LIMIT 1)
  LEFT JOIN name k ON k.id = e.class LEFT JOIN call ec ON ec.id = e.call
  LEFT JOIN method em ON em.id = ec.method
WHERE c.failed;

CREATE VIEW trace_calls AS -- those that began while a trace of OpenTelemetry was current
SELECT x.trace_id, x.span_id, c.* FROM trace_context x JOIN calls c ON c.thread = x.thread
  AND c.begin_ns BETWEEN x.begin_ns AND x.begin_ns + x.duration_ns - 1;

CREATE VIEW slow_calls AS -- the longest first
SELECT * FROM calls ORDER BY duration_ns DESC;

CREATE VIEW states AS
SELECT s.thread, t.name AS thread_name, s.begin_ns, s.begin_ns + s.duration_ns AS end_ns,
  s.duration_ns, n.name AS state, n.time
FROM state s JOIN thread t ON t.id = s.thread JOIN name n ON n.id = s.state;

CREATE VIEW arrows AS -- who let whom go on
SELECT a.from_thread, f.name AS from_name, fm.name AS from_method, a.sent_ns,
  a.to_thread, t.name AS to_name, tm.name AS to_method, a.received_ns,
  n.name AS operation, a.from_call, a.to_call
FROM arrow a JOIN thread f ON f.id = a.from_thread JOIN thread t ON t.id = a.to_thread
  LEFT JOIN call fc ON fc.id = a.from_call LEFT JOIN method fm ON fm.id = fc.method
  LEFT JOIN call tc ON tc.id = a.to_call LEFT JOIN method tm ON tm.id = tc.method
  LEFT JOIN name n ON n.id = a.operation;

CREATE VIEW events AS
SELECT e.thread, t.name AS thread_name, e.call, m.name AS method_name, e.begin_ns,
  e.begin_ns + e.duration_ns AS end_ns, e.duration_ns, w.kind, w.name AS what, e.object,
  k.name AS class, p.name AS place, e.value, coalesce(x.name, l.label) AS text
FROM event e JOIN thread t ON t.id = e.thread JOIN name w ON w.id = e.what
  LEFT JOIN call c ON c.id = e.call LEFT JOIN method m ON m.id = c.method
  LEFT JOIN name k ON k.id = e.class LEFT JOIN name p ON p.id = e.place
  LEFT JOIN name x ON x.id = e.text
  LEFT JOIN label l ON l.what = e.what AND l.value = e.value;

CREATE VIEW lock_waits AS -- and which thread, in which call, let go, or was seen to have it
SELECT e.thread, t.name AS thread_name, m.name AS method_name, e.begin_ns, e.duration_ns,
  w.name AS what, e.object, k.name AS class, p.name AS place,
  ifnull(a.from_thread, o.value) AS holder, ifnull(h.name, ot.name) AS holder_name,
  coalesce(hs.name, hm.name, (SELECT name FROM call JOIN method ON method.id = method
    WHERE thread = o.value AND begin_ns <= o.begin_ns AND begin_ns + duration_ns > o.begin_ns
    ORDER BY begin_ns DESC, depth DESC LIMIT 1)) AS holder_method
FROM event e JOIN name w ON w.id = e.what JOIN thread t ON t.id = e.thread
  LEFT JOIN call c ON c.id = e.call LEFT JOIN method m ON m.id = c.method
  LEFT JOIN name k ON k.id = e.class LEFT JOIN name p ON p.id = e.place
  LEFT JOIN site s ON s.id = c.site
  LEFT JOIN arrow a ON a.rowid = (SELECT rowid FROM arrow
    WHERE to_thread = e.thread AND sent_ns <= e.begin_ns + e.duration_ns
      AND received_ns BETWEEN e.begin_ns
        AND max(e.begin_ns + e.duration_ns, ifnull(c.begin_ns + c.duration_ns, 0))
      AND operation NOT IN (SELECT id FROM name WHERE kind = 'operation' AND name LIKE 'io/%')
    ORDER BY sent_ns DESC LIMIT 1)
  LEFT JOIN thread h ON h.id = a.from_thread
  LEFT JOIN call hc ON hc.id = a.from_call LEFT JOIN method hm ON hm.id = hc.method
  LEFT JOIN site hs ON hs.id = hc.site
  LEFT JOIN event o ON a.rowid IS NULL AND o.rowid = (SELECT rowid FROM event
    WHERE thread = e.thread AND begin_ns BETWEEN e.begin_ns AND e.begin_ns + e.duration_ns
      AND what = (SELECT id FROM name WHERE kind = 'event' AND name = 'monitor held') AND value > 0
    LIMIT 1)
  LEFT JOIN thread ot ON ot.id = o.value
WHERE w.kind = 'wait' AND w.name IN ('enter', 'wait')
  OR w.kind = 'operation' AND w.name IN ('lock/lock', 'lock/tryLock', 'condition/await');

CREATE VIEW state_summary AS
SELECT s.thread, t.name AS thread_name, n.name AS state, count(*) AS count,
  sum(s.duration_ns) AS total_ns, n.time
FROM state s JOIN thread t ON t.id = s.thread JOIN name n ON n.id = s.state
GROUP BY s.thread, s.state;

CREATE VIEW thread_summary AS
SELECT t.id AS thread, t.process, t.name, t.cpu_ns,
  (SELECT count(*) FROM call c WHERE c.thread = t.id) AS calls,
  min(CASE WHEN n.time NOT NULL THEN s.begin_ns END) AS begin_ns,
  max(CASE WHEN n.time NOT NULL THEN s.begin_ns + s.duration_ns END) AS end_ns,
  sum(CASE WHEN n.time = 'running' THEN s.duration_ns ELSE 0 END) AS running_ns,
  sum(CASE WHEN n.time = 'blocked' THEN s.duration_ns ELSE 0 END) AS blocked_ns,
  sum(CASE WHEN n.time = 'waiting' THEN s.duration_ns ELSE 0 END) AS waiting_ns,
  sum(CASE WHEN n.time = 'forWork' THEN s.duration_ns ELSE 0 END) AS for_work_ns,
  sum(CASE WHEN n.time = 'io' THEN s.duration_ns ELSE 0 END) AS io_ns,
  sum(CASE WHEN n.time = 'other' THEN s.duration_ns ELSE 0 END) AS other_ns
FROM thread t LEFT JOIN state s ON s.thread = t.id LEFT JOIN name n ON n.id = s.state
GROUP BY t.id;

CREATE VIEW method_summary AS -- the one that took most time itself first; a recursion counts once in total_ns
SELECT m.id AS method, m.name, count(*) AS calls, sum(c.failed) AS failed,
  sum(CASE WHEN c.outermost THEN c.duration_ns ELSE 0 END) AS total_ns, sum(c.self_ns) AS self_ns,
  max(c.duration_ns) AS longest_ns
FROM call c JOIN method m ON m.id = c.method GROUP BY c.method ORDER BY self_ns DESC;

CREATE VIEW requests AS -- on connections, the longest first
SELECT r.id, r.server, CASE r.asks WHEN 1 THEN 'asks' ELSE 'answers' END AS does, p.role,
  r.thread, t.name AS thread_name, r.begin_ns, r.begin_ns + r.duration_ns AS end_ns,
  r.duration_ns, r.answer_ns, a.name AS answer_thread_name, c.name AS connection
FROM request r JOIN process p ON p.id = r.process JOIN thread t ON t.id = r.thread
  JOIN thread a ON a.id = r.answer_thread LEFT JOIN connection c ON c.id = r.connection
  ORDER BY r.duration_ns DESC, r.id;

CREATE VIEW tasks AS -- of engines, stragglers first, each with what explains it most
SELECT k.id, k.name, k.stage, k.partition, k.attempt, p.role AS executor, p.host, p.job,
  k.thread, t.name AS thread_name, k.begin_ns, k.begin_ns + k.duration_ns AS end_ns,
  k.duration_ns, k.median_ns, k.straggler, k.failed, k.open, c.cause, c.percent, c.measure,
  c.value, c.median, c.subject, c.ender, k.running_ns, k.gc_ns, k.lock_ns, k.waiting_ns, k.io_ns,
  k.file_ns, k.cpu_ns, k.engine_gc_ns, k.fetch_ns, k.spill_ns, k.write_ns, k.bytes_in, k.records_in, k.bytes_out,
  k.records_out, k.bytes_spilled, k.spills
FROM task k JOIN process p ON p.id = k.process JOIN thread t ON t.id = k.thread
  LEFT JOIN cause c ON c.task = k.id AND c.place = 1 ORDER BY k.id;

CREATE VIEW stage_summary AS
SELECT p.application, k.stage, count(*) AS tasks, sum(k.failed) AS failed,
  sum(k.straggler) AS stragglers, min(k.begin_ns) AS begin_ns,
  max(k.begin_ns + k.duration_ns) AS end_ns, sum(k.duration_ns) AS total_ns,
  max(k.duration_ns) AS longest_ns, sum(k.bytes_in) AS bytes_in, sum(k.records_in) AS records_in,
  sum(k.bytes_out) AS bytes_out, sum(k.bytes_spilled) AS bytes_spilled
FROM task k JOIN process p ON p.id = k.process GROUP BY p.application, k.stage ORDER BY begin_ns;
