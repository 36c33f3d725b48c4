"""How hands compare: strengths as whole numbers, higher is stronger.

A strength is a name above six ranks in order of importance, `name << 24 | r1 << 20 | ... | r6`,
each rank 1 (deuce) to 13 (ace), or 0 if the hand has no further card. So two strengths compare by
name, then card by card, then the longer hand is higher (X-I2, CP-I2, SD-I2).

Cards may repeat (shoes of several decks) and may be jokers with a named card (64 + card).
"""
