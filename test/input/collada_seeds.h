// collada_seeds.h: small COLLADA files for mesh_seeds.h: the surface seed.
#ifndef PL_TEST_INPUT_COLLADA_SEEDS_H
#define PL_TEST_INPUT_COLLADA_SEEDS_H

// In centimetres, with a library node, a mirror, a colour, and indices of normals between those of vertices.
static const char collada_tree[] =
    "<?xml version='1.0'?>\n<COLLADA version='1.4.1'><asset><unit "
    "meter='0.01'/><up_axis>Y_UP</up_axis></asset>"
    "<library_effects><effect id='e'><profile_COMMON><technique sid='t'><phong><diffuse><color>1 0.5 0 "
    "1</color>"
    "</diffuse></phong></technique></profile_COMMON></effect></library_effects>"
    "<library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>\n"
    "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='f' count='13'>"
    "7 0 0 0 100 0 0 0 -50 0 0 0 100</float_array><technique_common><accessor source='#f' offset='1' "
    "count='4' "
    "stride='3'/></technique_common></source><vertices id='v'><input semantic='POSITION' "
    "source='#p'/></vertices>\n"
    "<polylist count='2' material='s'><input semantic='NORMAL' source='#n' offset='0'/><input "
    "semantic='VERTEX' "
    "source='#v' offset='1'/><vcount>3 3</vcount><p>9 1 9 3 9 2 9 0 9 2 9 3</p></polylist>"
    "<polygons count='1'><input semantic='VERTEX' source='#v' offset='0'/><p>0 3 1</p></polygons>"
    "<tristrips><input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></tristrips>"
    "</mesh></geometry></library_geometries>\n"
    "<library_nodes><node id='l'><scale>1 -1 1</scale><instance_geometry "
    "url='#g'><bind_material><technique_common>"
    "<instance_material symbol='s' "
    "target='#m'/></technique_common></bind_material></instance_geometry></node>"
    "</library_nodes><library_visual_scenes><visual_scene id='x'><node><translate>5 6 7</translate><scale>1 "
    "2 1</scale>"
    "<matrix>1 0 0 -5 0 1 0 -3 0 0 1 -7 0 0 0 1</matrix><instance_node url='#l'/></node></visual_scene>"
    "</library_visual_scenes><scene><instance_visual_scene url='#x'/></scene></COLLADA>\n";

// Without a scene, and with triangles alone.
static const char collada_plain[] =
    "<COLLADA version='1.5.0'><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='f' "
    "count='12'>"
    "0 0 0 1 0 0 0 1 0 0 0 1</float_array></source><vertices id='v'><input semantic='POSITION' "
    "source='#p'/></vertices>"
    "<triangles count='4'><input semantic='VERTEX' source='#v' offset='0'/><p>1 2 3 0 3 2 0 1 3 0 2 "
    "1</p></triangles>"
    "<lines/></mesh></geometry></library_geometries></COLLADA>\n";

#endif
