-- One step through the keys of the server that holds a tenant. KEYS: any key of the tenant. ARGV: the
-- cursor and the pattern. Returns the next cursor and keys.
return redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', 500)
