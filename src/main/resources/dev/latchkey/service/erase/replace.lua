-- After core.lua. Replaces a stored response. KEYS: the client key. ARGV: the route, the hash of
-- the response, and its replacement. Returns 1 if it was stored.
local record = load_record(KEYS[1], struct.pack('>I2', #ARGV[1]) .. ARGV[1])
if not record or record.phase ~= COMPLETED or redis.sha1hex(response_of(record)) ~= ARGV[2] then
  return 0
end
put_tail(record, '', ARGV[3])
save_record(record)
return 1
