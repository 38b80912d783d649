"""Meshes: shapes of tetrahedra, files, tetrahedra inside surfaces.

    pl.mesh.box((0.1, 0.1, 0.1), edge=0.03)
    pl.mesh.load("bear.stl").tetrahedralize(edge=0.01)
"""

from pliant._pliant import Mesh as Mesh
from pliant._pliant import mesh_box as box
from pliant._pliant import mesh_box_cells as box_cells
from pliant._pliant import mesh_capsule as capsule
from pliant._pliant import mesh_cylinder as cylinder
from pliant._pliant import mesh_ellipsoid as ellipsoid
from pliant._pliant import mesh_half_ellipsoid as half_ellipsoid
from pliant._pliant import mesh_load as load
from pliant._pliant import mesh_parse as parse
from pliant._pliant import mesh_sphere as sphere
from pliant._pliant import mesh_torus as torus

__all__ = ["Mesh", "box", "box_cells", "capsule", "cylinder", "ellipsoid", "half_ellipsoid", "load", "parse", "sphere", "torus"]
