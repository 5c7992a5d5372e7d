"""Pictures of positions, games and results.

`text` draws with characters, `svg` as a map, `png` makes pixels of that, `page` a whole game as one HTML page, `plots`
charts of results that `plotdata` reads. A map is made in steps: `curves` (geometry), `ways` (walls, roads, water of a
tile), `layout` (where everything on it lies), `terrain` (its drawing, from `glyphs` in the colours of `palette`),
`atlas` (the tiles of a game), `figures` and `scene` (what lies on them).
"""
