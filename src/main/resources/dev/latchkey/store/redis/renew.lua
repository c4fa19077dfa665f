-- Renews claims. KEYS: client keys. ARGV: claim and lease for each. Returns the positions of claims
-- that are not held.
for i = 1, #KEYS do
  -- A record that cannot be read must fail the script before its first write.
  load_held(KEYS[i], ARGV[2 * i - 1])
end
local lost = {}
for i = 1, #KEYS do
  -- Read again, since claims of two routes may share a key.
  local record = load_held(KEYS[i], ARGV[2 * i - 1])
  if record then
    record.lease_end = now + ARGV[2 * i]
    save_record(record)
  else
    lost[#lost + 1] = i - 1
  end
end
return lost
