-- Renews claims. KEYS: client keys. ARGV: claim and lease for each. Returns the positions of claims
-- that are not held, and of those whose record cannot be read.
local lost, unreadable = {}, {}
for i = 1, #KEYS do
  -- Read one by one, since claims of two routes may share a key.
  local readable, record = pcall(load_held, KEYS[i], ARGV[2 * i - 1])
  if not readable then
    unreadable[#unreadable + 1] = i - 1
  elseif record then
    record.lease_end = now + ARGV[2 * i]
    save_record(record)
  else
    lost[#lost + 1] = i - 1
  end
end
return {lost, unreadable}
