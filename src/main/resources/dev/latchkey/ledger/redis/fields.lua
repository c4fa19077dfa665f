-- KEYS: a hash. Answers its fields and values by turns.
return redis.call('HGETALL', KEYS[1])
