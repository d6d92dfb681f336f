-- SPDX-License-Identifier: MIT
--
-- Takes apart what `wavetank trace export OUT.pcapng` writes in the place of payloads: 26 bytes
-- with what the trace knows of the datagram. Fields may be filtered by: wavetank.kind == "snapshot",
-- wavetank.sequence == 811. Drops stand in packet comments: frame.comment contains "DROPPED".

local wavetank = Proto("wavetank", "wavetank trace record")

local types = {[1] = "send", [3] = "drop", [6] = "receive"}
local lanes = {[0] = "control", "gameplay", "state", "chat", "bulk", "free_5", "free_6", "free_7",
               [255] = "none"}
local kinds = {[0] = "handshake", "challenge", "join", "accept", "reject", "close", "ack",
               "keepalive", "path_challenge", "path_response", "data", "input", "report",
               "snapshot", "chat", "bulk", "content", "spawn", "despawn", "keyframe_request"}

local f = {
    version = ProtoField.uint8("wavetank.version", "Version"),
    type = ProtoField.string("wavetank.type", "Type"),
    lane = ProtoField.string("wavetank.lane", "Lane"),
    kind = ProtoField.string("wavetank.kind", "Kind"),
    flags = ProtoField.uint16("wavetank.flags", "Flags", base.HEX),
    down = ProtoField.bool("wavetank.down", "From the server", 16, nil, 0x0001),
    copy = ProtoField.bool("wavetank.copy", "Copy made by a link", 16, nil, 0x0004),
    reordered = ProtoField.bool("wavetank.reordered", "Reordered", 16, nil, 0x0008),
    reliable = ProtoField.bool("wavetank.reliable", "Reliable", 16, nil, 0x0040),
    sequence = ProtoField.uint32("wavetank.sequence", "Datagram"),
    tick = ProtoField.uint32("wavetank.tick", "Tick"),
    age = ProtoField.uint32("wavetank.age", "Age in us"),
    message = ProtoField.uint16("wavetank.message", "Message"),
    transmission = ProtoField.uint16("wavetank.transmission", "Transmission sequence"),
    fragment = ProtoField.uint8("wavetank.fragment", "Fragment"),
    try = ProtoField.uint8("wavetank.try", "Try"),
}
for _, field in pairs(f) do table.insert(wavetank.fields, field) end

local again = ProtoExpert.new("wavetank.again", "Sent again", expert.group.SEQUENCE,
                              expert.severity.NOTE)
wavetank.experts = {again}

local head_bytes = 26

function wavetank.dissector(buffer, pinfo, tree)
    if buffer:len() < head_bytes or buffer(0, 1):uint() ~= 1 then return 0 end
    local type = types[buffer(1, 1):uint()] or tostring(buffer(1, 1):uint())
    local lane = lanes[buffer(2, 1):uint()] or tostring(buffer(2, 1):uint())
    local kind = kinds[buffer(3, 1):uint()] or tostring(buffer(3, 1):uint())
    pinfo.cols.protocol = "wavetank"
    pinfo.cols.info = type .. " " .. kind .. " " .. lane .. " #" .. buffer(6, 4):uint() ..
                      " tick " .. buffer(10, 4):uint()
    local part = tree:add(wavetank, buffer(0, head_bytes))
    part:add(f.version, buffer(0, 1))
    part:add(f.type, buffer(1, 1), type)
    part:add(f.lane, buffer(2, 1), lane)
    part:add(f.kind, buffer(3, 1), kind)
    local flags = part:add(f.flags, buffer(4, 2))
    flags:add(f.down, buffer(4, 2))
    flags:add(f.copy, buffer(4, 2))
    flags:add(f.reordered, buffer(4, 2))
    flags:add(f.reliable, buffer(4, 2))
    part:add(f.sequence, buffer(6, 4))
    part:add(f.tick, buffer(10, 4))
    part:add(f.age, buffer(14, 4))
    part:add(f.message, buffer(18, 2))
    -- Only a reliable transmission's record at the sender has these.
    if buffer(23, 1):uint() ~= 0 then
        part:add(f.transmission, buffer(20, 2))
        part:add(f.fragment, buffer(22, 1))
        part:add(f.try, buffer(23, 1))
        if buffer(23, 1):uint() > 1 then part:add_proto_expert_info(again) end
    end
    return head_bytes
end

DissectorTable.get("udp.port"):add(7777, wavetank)
