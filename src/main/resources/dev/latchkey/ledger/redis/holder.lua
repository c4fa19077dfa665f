-- KEYS: a reserved name. Answers whose it is, '' for nobody's.
return redis.call('GET', KEYS[1]) or ''
